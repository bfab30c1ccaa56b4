"""Reports as mail servers write them, about a mail to {to} with the Message-ID {id}; the address of each is {path}.

From the text alone one can tell what the mailbox is like; the table in test_bounces.py says what we make of it.
"""

from textwrap import dedent
from typing import Final

POSTFIX_UNKNOWN: Final = """\
    Return-Path: <>
    Received: by mail.example.net (Postfix) id 4F1Q2w3E4rz5T; Tue,  4 Mar 2031 13:00:07 +0100 (CET)
    Date: Tue,  4 Mar 2031 13:00:07 +0100 (CET)
    From: MAILER-DAEMON@mail.example.net (Mail Delivery System)
    Subject: Undelivered Mail Returned to Sender
    To: {path}
    Auto-Submitted: auto-replied
    MIME-Version: 1.0
    Content-Type: multipart/report; report-type=delivery-status;
        boundary="4F1Q2v0000z5S.1930392007/mail.example.net"
    Message-Id: <4F1Q2w3E4rz5T@mail.example.net>

    This is a MIME-encapsulated message.

    --4F1Q2v0000z5S.1930392007/mail.example.net
    Content-Description: Notification
    Content-Type: text/plain; charset=us-ascii

    This is the mail system at host mail.example.net.

    I'm sorry to have to inform you that your message could not
    be delivered to one or more recipients. It's attached below.

    <{to}>: host mx.people.example[192.0.2.25] said: 550 5.1.1 <{to}>: Recipient
        address rejected: User unknown in virtual mailbox table (in reply to RCPT
        TO command)

    --4F1Q2v0000z5S.1930392007/mail.example.net
    Content-Description: Delivery report
    Content-Type: message/delivery-status

    Reporting-MTA: dns; mail.example.net
    X-Postfix-Queue-ID: 4F1Q2v0000z5S
    X-Postfix-Sender: rfc822; {path}
    Arrival-Date: Tue,  4 Mar 2031 13:00:06 +0100 (CET)

    Final-Recipient: rfc822; {to}
    Original-Recipient: rfc822;{to}
    Action: failed
    Status: 5.1.1
    Remote-MTA: dns; mx.people.example
    Diagnostic-Code: smtp; 550 5.1.1 <{to}>: Recipient address rejected: User
        unknown in virtual mailbox table

    --4F1Q2v0000z5S.1930392007/mail.example.net
    Content-Description: Undelivered Message
    Content-Type: message/rfc822

    Return-Path: <{path}>
    From: "Pennies" <wardroom@play.example>
    To: {to}
    Subject: [Pennies #abc] ann, bob
    Message-ID: {id}

    Your turn.

    --4F1Q2v0000z5S.1930392007/mail.example.net--
    """

POSTFIX_DELAYED: Final = """\
    Return-Path: <>
    From: MAILER-DAEMON@mail.example.net (Mail Delivery System)
    Subject: Delayed Mail (still being retried)
    To: {path}
    Auto-Submitted: auto-replied
    MIME-Version: 1.0
    Content-Type: multipart/report; report-type=delivery-status; boundary="delay"

    --delay
    Content-Type: text/plain; charset=us-ascii

    THIS IS A WARNING ONLY.  YOU DO NOT NEED TO RESEND YOUR MESSAGE.

    --delay
    Content-Type: message/delivery-status

    Reporting-MTA: dns; mail.example.net

    Final-Recipient: rfc822; {to}
    Action: delayed
    Status: 4.4.1
    Diagnostic-Code: X-Postfix; connect to mx.people.example[192.0.2.25]:25:
        Connection timed out
    Will-Retry-Until: Sun,  9 Mar 2031 13:00:06 +0100 (CET)

    --delay
    Content-Type: text/rfc822-headers

    Message-ID: {id}
    --delay--
    """

POSTFIX_EXPIRED: Final = """\
    Return-Path: <>
    From: MAILER-DAEMON@mail.example.net (Mail Delivery System)
    Subject: Undelivered Mail Returned to Sender
    To: {path}
    MIME-Version: 1.0
    Content-Type: multipart/report; report-type=delivery-status; boundary="expired"

    --expired
    Content-Type: text/plain; charset=us-ascii

    <{to}>: connect to mx.people.example[192.0.2.25]:25: Connection timed out

    --expired
    Content-Type: message/delivery-status

    Reporting-MTA: dns; mail.example.net

    Final-Recipient: rfc822; {to}
    Action: failed
    Status: 4.4.1
    Diagnostic-Code: X-Postfix; connect to mx.people.example[192.0.2.25]:25:
        Connection timed out

    --expired
    Content-Type: text/rfc822-headers

    Message-ID: {id}
    --expired--
    """

EXCHANGE_UNKNOWN: Final = """\
    Return-Path: <>
    From: <postmaster@people.example>
    To: <{path}>
    Date: Tue, 4 Mar 2031 12:00:09 +0000
    Content-Type: multipart/report; report-type=delivery-status;
        boundary="8f6d1c2e-0a43-4b8b-9a3a-5f2a1f0c9d77"
    X-MS-Exchange-Message-Is-Ndr:
    Content-Language: en-US
    Message-ID: <3c5b1e5a-77f8-4e0d-8e0e-2f1b7bba0b10@AM6PR01MB0001.eurprd01.prod.exchangelabs.example>
    In-Reply-To: {id}
    Subject: Undeliverable: [Pennies #abc] ann, bob
    MIME-Version: 1.0

    --8f6d1c2e-0a43-4b8b-9a3a-5f2a1f0c9d77
    Content-Type: text/plain; charset="us-ascii"

    Your message to {to} couldn't be delivered.

    --8f6d1c2e-0a43-4b8b-9a3a-5f2a1f0c9d77
    Content-Type: message/delivery-status

    Reporting-MTA: dns;AM6PR01MB0001.eurprd01.prod.exchangelabs.example
    Received-From-MTA: dns;mail.example.net
    Arrival-Date: Tue, 4 Mar 2031 12:00:08 +0000

    Final-Recipient: rfc822;{to}
    Action: failed
    Status: 5.1.10
    Diagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient {to} not found by SMTP address lookup

    --8f6d1c2e-0a43-4b8b-9a3a-5f2a1f0c9d77
    Content-Type: message/rfc822

    From: Pennies <wardroom@play.example>
    To: {to}
    Message-ID: {id}
    MIME-Version: 1.0

    Your turn.
    --8f6d1c2e-0a43-4b8b-9a3a-5f2a1f0c9d77--
    """

EXCHANGE_EDGE: Final = """\
    From: <MAILER-DAEMON@mail.example.net>
    To: <{path}>
    Subject: Undelivered Mail Returned to Sender
    MIME-Version: 1.0
    Content-Type: multipart/report; report-type=delivery-status; boundary="edge"

    --edge
    Content-Type: text/plain

    host people-example.mail.protection.example[192.0.2.36] said: 550 5.4.1
    Recipient address rejected: Access denied.
    --edge
    Content-Type: message/delivery-status

    Reporting-MTA: dns; mail.example.net

    Final-Recipient: rfc822; {to}
    Action: failed
    Status: 5.4.1
    Diagnostic-Code: smtp; 550 5.4.1 Recipient address rejected: Access denied.

    --edge
    Content-Type: text/rfc822-headers

    Message-ID: {id}
    --edge--
    """

GMAIL_UNKNOWN: Final = """\
    From: Mail Delivery Subsystem <mailer-daemon@googlemail.example>
    To: {path}
    Auto-Submitted: auto-replied
    Subject: Delivery Status Notification (Failure)
    References: {id}
    In-Reply-To: {id}
    X-Failed-Recipients: {to}
    Message-ID: <67c6ec09.050a0220.2f1b7.0001.GMR@mx.google.example>
    Date: Tue, 04 Mar 2031 04:00:09 -0800 (PST)
    MIME-Version: 1.0
    Content-Type: multipart/report; boundary="0000000000009c2b1a05c0a1b2c3"; report-type=delivery-status

    --0000000000009c2b1a05c0a1b2c3
    Content-Type: multipart/related; boundary="0000000000009c2f3a05c0a1b2c9"

    --0000000000009c2f3a05c0a1b2c9
    Content-Type: multipart/alternative; boundary="0000000000009c2f4a05c0a1b2d0"

    --0000000000009c2f4a05c0a1b2d0
    Content-Type: text/plain; charset="UTF-8"

    ** Address not found **

    Your message wasn't delivered to {to} because the address couldn't be found.

    --0000000000009c2f4a05c0a1b2d0
    Content-Type: text/html; charset="UTF-8"

    <p>Your message wasn't delivered to <b>{to}</b></p>
    --0000000000009c2f4a05c0a1b2d0--
    --0000000000009c2f3a05c0a1b2c9--

    --0000000000009c2b1a05c0a1b2c3
    Content-Type: message/delivery-status

    Reporting-MTA: dns; googlemail.example
    Arrival-Date: Tue, 04 Mar 2031 04:00:08 -0800 (PST)
    X-Original-Message-ID: {id}

    Final-Recipient: rfc822; {to}
    Action: failed
    Status: 5.1.1
    Diagnostic-Code: smtp; 550-5.1.1 The email account that you tried to reach does not exist. Please try
     550-5.1.1 double-checking the recipient's email address for typos or
     550 5.1.1 unnecessary spaces.
    Last-Attempt-Date: Tue, 04 Mar 2031 04:00:09 -0800 (PST)

    --0000000000009c2b1a05c0a1b2c3
    Content-Type: message/rfc822

    From: Pennies <wardroom@play.example>
    To: {to}
    Message-ID: {id}

    Your turn.
    --0000000000009c2b1a05c0a1b2c3--
    """

GMAIL_FULL: Final = """\
    From: Mail Delivery Subsystem <mailer-daemon@googlemail.example>
    To: {path}
    Auto-Submitted: auto-replied
    Subject: Delivery Status Notification (Failure)
    MIME-Version: 1.0
    Content-Type: multipart/report; boundary="full"; report-type=delivery-status

    --full
    Content-Type: text/plain; charset="UTF-8"

    ** Recipient inbox full **
    --full
    Content-Type: message/delivery-status

    Reporting-MTA: dns; googlemail.example

    Final-Recipient: rfc822; {to}
    Action: failed
    Status: 5.2.2
    Diagnostic-Code: smtp; 552 5.2.2 The email account that you tried to reach is over quota and inactive.

    --full
    Content-Type: message/rfc822

    Message-ID: {id}

    Your turn.
    --full--
    """

GMX_UNKNOWN: Final = """\
    Return-Path: <>
    From: mailer-daemon@gmx.example
    To: {path}
    Subject: Mail delivery failed: returning message to sender
    Auto-Submitted: auto-replied
    Message-ID: <1MsYv3-1q1Q1Q0abc-00x1@mx.gmx.example>
    Date: Tue, 04 Mar 2031 13:00:10 +0100
    MIME-Version: 1.0
    Content-Type: multipart/report; report-type=delivery-status; boundary="=_gmx"

    --=_gmx
    Content-Type: text/plain; charset=UTF-8

    This message was created automatically by mail delivery software.

    A message that you sent could not be delivered to
    one or more of its recipients. This is a permanent error.

    The following address failed:

    {to}:
    SMTP error from remote server for RCPT TO command, host: mx00.emig.example
    reason: 550 Requested action not taken: mailbox unavailable
    --=_gmx
    Content-Type: message/delivery-status

    Reporting-MTA: dns; mout.gmx.example

    Final-Recipient: rfc822; {to}
    Action: failed
    Status: 5.0.0
    Diagnostic-Code: smtp; 550 Requested action not taken: mailbox unavailable

    --=_gmx
    Content-Type: text/rfc822-headers

    From: Pennies <wardroom@play.example>
    Message-ID: {id}
    --=_gmx--
    """

GMX_FULL: Final = """\
    Return-Path: <>
    From: mailer-daemon@gmx.example
    To: {path}
    Subject: Mail delivery failed: returning message to sender
    MIME-Version: 1.0
    Content-Type: multipart/report; report-type=delivery-status; boundary="=_gmx"

    --=_gmx
    Content-Type: text/plain; charset=UTF-8

    reason: 552 Requested mail action aborted: exceeded storage allocation, Quota exceeded
    --=_gmx
    Content-Type: message/delivery-status

    Reporting-MTA: dns; mout.gmx.example

    Final-Recipient: rfc822; {to}
    Action: failed
    Status: 5.0.0
    Diagnostic-Code: smtp; 552 Requested mail action aborted: exceeded storage allocation, Quota exceeded

    --=_gmx
    Content-Type: text/rfc822-headers

    Message-ID: {id}
    --=_gmx--
    """

SPAM: Final = """\
    From: MAILER-DAEMON@mail.example.net
    To: {path}
    Subject: Undelivered Mail Returned to Sender
    MIME-Version: 1.0
    Content-Type: multipart/report; report-type=delivery-status; boundary="spam"

    --spam
    Content-Type: message/delivery-status

    Reporting-MTA: dns; mail.example.net

    Final-Recipient: rfc822; {to}
    Action: failed
    Status: 5.7.1
    Diagnostic-Code: smtp; 550 5.7.1 Our system has detected that this message is likely unsolicited mail.

    --spam
    Content-Type: text/rfc822-headers

    Message-ID: {id}
    --spam--
    """

DELIVERED: Final = """\
    From: MAILER-DAEMON@mail.example.net
    To: {path}
    Subject: Successful Mail Delivery Report
    MIME-Version: 1.0
    Content-Type: multipart/report; report-type=delivery-status; boundary="ok"

    --ok
    Content-Type: message/delivery-status

    Reporting-MTA: dns; mail.example.net

    Final-Recipient: rfc822; {to}
    Action: relayed
    Status: 2.1.5

    --ok
    Content-Type: text/rfc822-headers

    Message-ID: {id}
    --ok--
    """

WITHOUT_OUR_MAIL: Final = """\
    From: MAILER-DAEMON@mail.example.net
    To: {path}
    Subject: failure notice
    MIME-Version: 1.0
    Content-Type: multipart/report; report-type=delivery-status; boundary="bare"

    --bare
    Content-Type: message/delivery-status

    Reporting-MTA: dns; mail.example.net

    Final-Recipient: rfc822; {to}
    Action: failed
    Status: 5.1.1
    Diagnostic-Code: smtp; 550 5.1.1 no such user

    --bare--
    """

QMAIL: Final = """\
    Return-Path: <>
    From: MAILER-DAEMON@old.example
    To: {path}
    Subject: failure notice

    Hi. This is the qmail-send program at old.example.
    I'm afraid I wasn't able to deliver your message to the following addresses.
    This is a permanent error; I've given up. Sorry it didn't work out.

    <{to}>:
    Sorry, no mailbox here by that name. (#5.1.1)

    --- Below this line is a copy of the message.

    Return-Path: <{path}>
    From: Pennies <wardroom@play.example>
    Message-ID: {id}

    Your turn.
    """

QMAIL_WITHOUT_OUR_MAIL: Final = """\
    Return-Path: <>
    From: MAILER-DAEMON@old.example
    To: {path}
    Subject: failure notice

    Hi. This is the qmail-send program at old.example.

    <{to}>:
    Sorry, no mailbox here by that name. (#5.1.1)
    """

COMPLAINT: Final = """\
    From: <complaints@fbl.example>
    To: <{path}>
    Date: Tue, 4 Mar 2031 17:40:36 +0000
    Subject: FW: [Pennies #abc] ann, bob
    MIME-Version: 1.0
    Content-Type: multipart/report; report-type=feedback-report; boundary="part1_13d.2e68ed54_boundary"

    --part1_13d.2e68ed54_boundary
    Content-Type: text/plain; charset="US-ASCII"

    This is an email abuse report for an email message received from IP 192.0.2.1.

    --part1_13d.2e68ed54_boundary
    Content-Type: message/feedback-report

    Feedback-Type: abuse
    User-Agent: SomeGenerator/1.0
    Version: 1
    Original-Mail-From: <{path}>
    Original-Rcpt-To: <{to}>

    --part1_13d.2e68ed54_boundary
    Content-Type: message/rfc822
    Content-Disposition: inline

    From: Pennies <wardroom@play.example>
    To: {to}
    Message-ID: {id}

    Your turn.
    --part1_13d.2e68ed54_boundary--
    """

COMPLAINT_WITHOUT_OUR_MAIL: Final = """\
    From: <complaints@fbl.example>
    To: <{path}>
    Subject: complaint
    MIME-Version: 1.0
    Content-Type: multipart/report; report-type=feedback-report; boundary="fbl"

    --fbl
    Content-Type: message/feedback-report

    Feedback-Type: abuse
    User-Agent: SomeGenerator/1.0
    Version: 1

    --fbl--
    """

RECEIPT: Final = """\
    From: {to}
    To: {path}
    Subject: Read: [Pennies #abc] ann, bob
    MIME-Version: 1.0
    Content-Type: multipart/report; report-type=disposition-notification; boundary="mdn"

    --mdn
    Content-Type: text/plain

    Your message was deleted without being read.
    --mdn
    Content-Type: message/disposition-notification

    Final-Recipient: rfc822;{to}
    Original-Message-ID: {id}
    Disposition: automatic-action/MDN-sent-automatically; deleted
    --mdn--
    """

VACATION: Final = """\
    Return-Path: <>
    From: {to}
    To: {path}
    Subject: Out of office: [Pennies #abc] ann, bob
    In-Reply-To: {id}
    Auto-Submitted: auto-replied (vacation)

    I am on holiday until Monday. You wrote ({id}):
    > Your turn.
    """

BY_HAND: Final = """\
    From: {to}
    To: {path}
    Subject: Re: [Pennies #abc] ann, bob

    hide 1
    """


def text(template: str, **values: str) -> bytes:
    """One of these as raw bytes."""
    return dedent(template).format(**values).replace("\n", "\r\n").encode()
