"""Spans for OpenTelemetry, where WARDROOM_TRACES is on: of a request, what is decided in it, and what comes of it.

The trace of a request is made from its id, and so is its first span: whoever sends a mail or thinks for a bot because
of it, in another process and days later, knows both by the id alone (decision 0103). Where traces are off, nothing of
the library is loaded, and a span is a look at a variable.
"""

import contextlib
import hashlib
import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import wraps
from typing import Any, Final, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
NOTHING: Final[AbstractContextManager[Any]] = contextlib.nullcontext()
SAMPLED: Final = 1
_tracer: Any = None


def begin(role: str, version: str, exporter: Any = None) -> None:
    """Make spans from now on in this process, and send them where the variables OTEL_* say. Once a process."""
    global _tracer
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor, SimpleSpanProcessor

    from service.telemetry.trace_ids import FixedIds

    known = {"service.version": version}
    if not os.environ.get("OTEL_SERVICE_NAME"):
        known["service.name"] = f"wardroom-{role}"
    provider = TracerProvider(resource=Resource.create(known), id_generator=FixedIds())
    if exporter is None:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

        provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    else:
        provider.add_span_processor(SimpleSpanProcessor(exporter))
    _tracer = provider.get_tracer("wardroom", version)


def end() -> None:
    """Send what is left, and make no more."""
    global _tracer
    if _tracer is not None:
        _tracer.span_processor.shutdown()
        _tracer = None


def span(name: str, **facts: Any) -> AbstractContextManager[Any]:
    """A span for the block, below the one it is in."""
    if _tracer is None:
        return NOTHING
    return _tracer.start_as_current_span(name, attributes=facts)  # type: ignore[no-any-return]


def traced(name: str) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """A span for each call of a function."""

    def wrap(function: Callable[P, T]) -> Callable[P, T]:
        @wraps(function)
        def call(*given: P.args, **named: P.kwargs) -> T:
            with span(name):
                return function(*given, **named)

        return call

    return wrap


def request(name: str, request_id: str, parent: str = "", **facts: Any) -> AbstractContextManager[Any]:
    """The first span of a request, with a link to its `parent`, a span of a proxy (`traceparent`), if there is one."""
    if _tracer is None:
        return NOTHING
    from opentelemetry.context import Context
    from opentelemetry.trace import Link, SpanKind, get_current_span, use_span
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    from service.telemetry.trace_ids import fixed

    told = TraceContextTextMapPropagator().extract({"traceparent": parent}, context=Context())
    proxy = get_current_span(told).get_span_context()
    links = [Link(proxy)] if proxy.is_valid else []
    named = {"attributes": facts, "links": links, "kind": SpanKind.SERVER, "context": Context()}
    with fixed(*ids_of(request_id)):
        first = _tracer.start_span(name, **named)
    return use_span(first, end_on_exit=True)


def work(name: str, request_id: str | None, **facts: Any) -> AbstractContextManager[Any]:
    """A span of what is done because of a request, where one is known; else the first of a trace of its own."""
    if _tracer is None:
        return NOTHING
    from opentelemetry.context import Context
    from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags, set_span_in_context

    context = Context()
    if request_id is not None:
        trace, first = ids_of(request_id)
        is_sampled = _tracer.sampler.should_sample(None, trace, name).decision.is_sampled()
        cause = SpanContext(trace, first, is_remote=True, trace_flags=TraceFlags(SAMPLED if is_sampled else 0))
        context = set_span_in_context(NonRecordingSpan(cause), context)
    return _tracer.start_as_current_span(name, context=context, attributes=facts)  # type: ignore[no-any-return]


def ids_of(request_id: str) -> tuple[int, int]:
    """The trace of a request, and its first span."""
    digest = hashlib.sha256(request_id.encode()).digest()
    return int.from_bytes(digest[:16], "big"), int.from_bytes(digest[16:24], "big")
