"""Devices that are called: messages, their encryption, and the channel of Web Push."""
