"""What happens off the request path: mail, deadlines, reminders, housekeeping. Thin, and safe to run twice."""
