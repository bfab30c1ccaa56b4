"""The tests, laid in the same rooms as the code, and the words that they share.

People at a table, from the rules outwards; take the first that knows enough for what you prove:

    given / position   tests/domain/<game>/scenario.py        a position of one ruleset: moves, refusals, what is seen
    Game               tests/domain/table/gamebook.py         a table as a value, without a database
    Tables      tests/service/store/service_tables.py  people and games, through the services
    Api, ApiTable      tests/service/api/table.py             the same through the REST API, in process
    Tables       tests/workers/worker_tables.py         Tables whose clock and workers the test runs
    Tables        tests/service/clock_tables.py          Tables for policies, banks, leave and votes
    Tables         tests/workers/mail_tables.py           Tables that take mail in
    Program, Person    tests/acceptance/processes.py          real processes, and people who speak to them over HTTP

The same act has the same name wherever it can be done:

    player, open, sit, begin, move, bid, expire, play_out     somebody, a table, a seat, a running game, what is played
    undo, propose_undo, propose_clock, agree, disagree        going back, and whatever else needs consent
    leave, take_leave, cancel_leave                           a seat given up; days off, and days off taken back
    advance, sweep, deliver                                   time passes; deadlines act; letters that are due leave
    think_all                                                 bots think until people are asked (tests/thinking.py)
    reply, accept_mail, read_inbox, exchange                  a mail is sent in; handed in raw; read; read and answered
    head, position, events, awaited, legal                    a game as it stands, what happened, who is asked for what
    notices, letters_to, newest_letter, newest_text, mails    what people are told; the mails that came in
    then, recorded, see, refused                              what a step must have done, shown or been refused for

Fixtures are called `tables` on each database and `sqlite_tables` on SQLite alone; those with more to them say so:
`clock_tables`, `mail_tables`. Time is `manual_clock`, which stands still until the test moves it.

Databases are made by `tests/databases.py`: `migrated_sqlite`, `migrated_postgres`, `url` for both in turn; statements
are compiled once a process (`tests/compiled.py`). Applications come from `tests/apps.py`, processes of our programs
from `tests/forked.py`: each saves what is slow to make anew. Sessions by mail stand in
`tests/workers/sessions/table.py`; the deadline simulator is `python -m tests.simulation`.

A proof rests on nothing that chance or a busy machine decides: no letter that a hash or an id may lack or hold, and
a minute for whatever is waited for, as for what a bug would hold up.

Marks: `slow` takes a tenth of a second or more, `long` takes minutes and runs with `python3 dev.py test --long` alone,
where a shorter proof of the same always runs. `tests/cited_ids.txt` lists the requirements that the tests cite; none is
lost by oversight.
"""
