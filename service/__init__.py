"""Application services, persistence, REST API and command line. The services are the only writers."""
