"""What links to public games show elsewhere: previews, pictures, boards in the frames of other pages."""
