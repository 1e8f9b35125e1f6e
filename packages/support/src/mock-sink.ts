import type { TelemetryEvent, TelemetrySink } from './primitives/telemetry-sink.ts'

/** Puts each event into a list: for tests, and for whoever looks at the stages of one turn. */
export class MockSink implements TelemetrySink {
  readonly events: TelemetryEvent[]

  /** @param events the list; default a new one */
  constructor(events: TelemetryEvent[] = []) {
    this.events = events
  }

  record(event: TelemetryEvent): void {
    this.events.push(structuredClone(event))
  }
}
