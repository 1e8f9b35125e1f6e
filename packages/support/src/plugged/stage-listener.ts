import type { Listener } from 'echelon/internal/agent'
import { isJsonObject } from 'echelon/internal/value'
import { utc } from '../turn/conclusion.ts'
import {
  type Stage,
  STAGES,
  type TelemetryEvent,
  type TelemetrySink,
} from '../primitives/telemetry-sink.ts'

/** Passes each stage on to the sinks. A sink that throws does not affect the others. */
export function stageListener(
  sinks: readonly TelemetrySink[],
  { sessionId, interactionId }: { readonly sessionId: string; readonly interactionId: string },
): Listener {
  return {
    only: new Set(['note']),
    hear(event) {
      if (event.type !== 'note') return
      const { note, at } = event
      const { level, payload = null } = note.data
      if (!isStage(note.stage) || !isLevel(level) || !isJsonObject(payload)) return
      const told: TelemetryEvent = {
        timestamp: utc(at),
        session_id: sessionId,
        interaction_id: interactionId,
        stage: note.stage,
        level,
        payload,
      }
      for (const sink of sinks) tell(sink, told)
    },
  }
}

function tell(sink: TelemetrySink, event: TelemetryEvent): void {
  // A sink must not change an answer, whether it throws now or rejects later.
  try {
    const told: unknown = sink.record(event)
    if (told instanceof Promise) told.catch(nobodyWaits)
  } catch {}
}

const nobodyWaits = (): void => undefined

const isStage = (stage: string): stage is Stage => STAGES.some((one) => one === stage)

const isLevel = (level: unknown): level is TelemetryEvent['level'] =>
  level === 'info' || level === 'warning' || level === 'error'
