"""The tests, laid in the same rooms as the code, and the words that they share.

People at a table, from the rules outwards; take the first that knows enough for what you prove:

    given / position   tests/domain/<game>/scenario.py  a position of one ruleset: moves, refusals, what is seen
    Game               tests/domain/table/gamebook.py   a table as a value, without a database
    House              tests/service/store/house.py     people and games, through the services
    Api, Table         tests/service/api/table.py       the same through the REST API, in process
    Office             tests/workers/office.py          a House whose clock stands still, and the letters that leave it
    Hall               tests/service/clockwork.py       an Office for policies, banks, leave and votes on the clock
    Post               tests/workers/post.py            an Office that takes mail in
    Program, Person    tests/acceptance/processes.py    real processes, and people who speak to them over HTTP

Databases are made by `tests/databases.py`: `migrated_sqlite`, `migrated_postgres`, `url` for both in turn; what opens
services by itself calls `share_compiled`, which keeps compiled statements from test to test. Applications come from
`tests/apps.py`, processes of our programs from `tests/forked.py`: each saves what is slow to make anew. Sessions by
mail stand in `tests/workers/sessions/table.py`; the deadline simulator is `python -m tests.simulation`.

A proof rests on nothing that chance or a busy machine decides: no letter that a hash or an id may lack or hold, and
a minute for whatever is waited for, as for what a bug would hold up.

Marks: `slow` takes seconds, `long` takes minutes and runs with `python3 dev.py test --long` alone, where a shorter
proof of the same always runs. `tests/cited_ids.txt` lists the requirements that the tests cite; none is lost by
oversight.
"""
