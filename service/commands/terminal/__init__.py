"""What commands have in common: how they open the service, print, complete words and end."""
