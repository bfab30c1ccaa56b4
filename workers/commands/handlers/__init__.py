"""What the words of a mail do, one module for each family of them; `workers.commands.verbs` lists all."""
