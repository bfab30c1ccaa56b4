"""What people answer to our mails: tables of replies in three languages, and what becomes of them."""
