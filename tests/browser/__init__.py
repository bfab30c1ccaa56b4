"""The pages in a real browser: Debian's Chromium, led by Playwright, against a server in this process.

A test speaks to a `Window`, by roles and names as a person would. At its end nothing may have gone wrong that a person
would not have seen: no error in the console, nothing against the policy of the page, no request to another host.
"""
