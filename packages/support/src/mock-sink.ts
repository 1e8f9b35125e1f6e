import type { TelemetryEvent, TelemetrySink } from './primitives/telemetry-sink.ts'

/** Collects events in a list, for tests or for inspecting the stages of one turn. */
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
