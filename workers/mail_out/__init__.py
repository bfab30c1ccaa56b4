"""Mail that goes out: composed, held back or sent, and bounced."""
