"""What all pages need: who looks, in which language, from which page a form came, how a page is made."""
