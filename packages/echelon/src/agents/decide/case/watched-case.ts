import type { Entry } from '../../../core/journal/journal.ts'
import type { Json } from '../../../core/value/json.ts'
import type { BoundModel } from '../../../core/model/model.ts'
import type { Recorder } from '../../../core/observability/run-record.ts'
import type { Tracing } from '../../../core/observability/tracing.ts'
import type { Services } from '../../../runtime/services.ts'
import { AskedModels } from './asked-models.ts'
import { CaseLog, LOGGED_EVENTS } from './case-log.ts'
import type { CaseOptions } from './case-options.ts'
import { recordCase } from './case-record.ts'
import { redactorFor } from './case-redactor.ts'
import { type CaseRun, caseRun } from './case-run.ts'
import type { LogEntry } from './log.ts'
import type { Policy } from '../settings/modes.ts'
import type { DecideSettings } from '../settings/settings.ts'

/** A case that is about to start or resume. */
export interface Begun {
  readonly policy: Policy
  /** The run's input. */
  readonly input: Json
  readonly records: Recorder | undefined
  readonly resumed?: true
  /** The journal entries of a case that is resumed. */
  readonly entries?: readonly Entry[]
  readonly runId: string
  readonly timeZone: string
  readonly models: Readonly<Record<string, BoundModel>>
  readonly options: Pick<CaseOptions, 'onEvent' | 'onLog' | 'taskId' | 'contextId'>
}

/** The parts of its decider that a case needs. */
interface Around {
  readonly settings: DecideSettings
  readonly services: Pick<Services, 'artifacts' | 'clock' | 'ids' | 'timeZone'> &
    Partial<Pick<Services, 'journal' | 'memory' | 'retry'>>
  readonly tools: Services['tools']
  readonly tracing?: Tracing
  readonly secrets?: readonly string[]
}

interface WatchedCase {
  /** For the case's run: with the log, the record and the listeners. */
  readonly services: Services
  /** Returns the caller's handle to the run. */
  readonly handle: (run: CaseRun['run']) => CaseRun
}

/** Prepares the log, the record and the listeners of a case whose run is about to begin. */
export function watchedCase(begun: Begun, around: Around): WatchedCase {
  const { policy, runId, timeZone, models, options, entries = [] } = begun
  const { settings, tools, tracing, secrets } = around
  const asked = new AskedModels(entries)
  const { clock, ids } = around.services
  const { taskId = ids.next(), contextId = ids.next(), onEvent, onLog } = options
  const redact = redactorFor(settings, secrets)
  const now = (): number => clock.now()
  const record = recordCase({ ...begun, taskId, settings, now })
  const sink = (entry: LogEntry): void => {
    record?.acted(entry)
    onLog?.(entry)
  }
  const metadata = { mode: policy.mode }
  const log = new CaseLog({ runId, taskId, timeZone, now, metadata, sink })
  const services: Services = {
    ...around.services,
    timeZone,
    ...(tracing && { tracing }),
    models,
    tools,
    limits: policy.limits,
    redact,
    listeners: [
      { hear: (event) => log.hear(event), only: LOGGED_EVENTS },
      asked,
      ...(onEvent === undefined
        ? []
        : [typeof onEvent === 'function' ? { hear: onEvent } : onEvent]),
    ],
  }
  return {
    services,
    handle: (run) => caseRun({ run, log, policy, taskId, contextId, record, redact, asked }),
  }
}
