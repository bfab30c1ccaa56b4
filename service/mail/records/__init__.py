"""The DNS records that a host's mail needs: what they must say, and whether they do."""
