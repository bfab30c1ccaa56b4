"""What a process tells of itself to whoever watches the service: counters, its memory and connections, traces."""
