"""Mail that comes in: SMTP, LMTP and IMAP, and the worker that reads the inbox."""
