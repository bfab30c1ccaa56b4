"""What is known of playing City Hall well: for searches, for quick playouts, and for the sentences of a teacher."""
