import { EchelonError } from '../../core/error.ts'
import { isJsonObject, type Json } from '../../core/json.ts'
import type { BoundModel } from '../../core/model.ts'
import type { Clock } from '../../core/ports.ts'
import { seededIds } from '../../core/random.ts'
import { createRedactor, type Redactor } from '../../core/redaction.ts'
import type { Tool } from '../../core/tool.ts'
import { findStarted } from '../../runtime/fold.ts'
import { resumeRun } from '../../runtime/resume.ts'
import { startRun } from '../../runtime/run.ts'
import type { Services } from '../../runtime/services.ts'
import { ToolRegistry } from '../../runtime/tool-registry.ts'
import { caseInput } from './case-input.ts'
import type { CaseOptions } from './case-options.ts'
import { CaseLog, LOGGED_EVENTS } from './case-log.ts'
import type { CaseResult } from './case-result.ts'
import { type CaseRun, caseRun } from './case-run.ts'
import { DECIDE, decideAgent } from './decide.ts'
import { SharedExecutions } from './shared-executions.ts'
import { type Policy, policyFor } from './modes.ts'
import { readQuestion } from './question.ts'
import { type DecideSettings, type Mode, MODES } from './settings.ts'

/** What a decider is made of. */
export interface DeciderParts {
  readonly settings: DecideSettings
  readonly tools: readonly Tool[]
  /** Loads a model by name, `provider/model`. */
  readonly resolveModel: (name: string) => Promise<BoundModel>
  readonly services: Pick<Services, 'artifacts' | 'clock' | 'ids' | 'timeZone'> &
    Partial<Pick<Services, 'journal' | 'retry'>>
  /** Values that nothing shows, such as the keys of the models' providers. */
  readonly secrets?: readonly string[]
}

/** Decides tasks: one set of models, tools and limits, any number of cases, also at the same time. */
export class Decider {
  readonly #parts: DeciderParts
  readonly #registry: ToolRegistry
  readonly #shared = new SharedExecutions<CaseResult>()

  constructor(parts: DeciderParts) {
    this.#parts = parts
    const { allowed_tools, denied_tools } = parts.settings.security
    this.#registry = new ToolRegistry(parts.tools, {
      deny: denied_tools,
      ...(allowed_tools === null ? {} : { allow: allowed_tools }),
    })
  }

  /**
   * Runs a case to its end. What goes wrong on the way is in the result.
   * @throws EchelonError for input, options or configuration that cannot be used
   */
  async runCase(input: string, options: CaseOptions = {}): Promise<CaseResult> {
    const { idempotencyKey, signal, ...rest } = options
    if (idempotencyKey === undefined) return (await this.start(input, options)).result
    return this.#shared.join(idempotencyKey, {
      input: identityOf(input, options),
      begin: (everyoneLeft) => this.start(input, { ...rest, signal: everyoneLeft }),
      keep: (result) => result.finish_reason !== 'canceled',
      signal,
    })
  }

  /**
   * The same with everything that varies held still: time starts at the epoch of the specification
   * and passes a millisecond at each reading, ids and jitter come from the seed. The same seed,
   * input and model answers give the same log, byte for byte. Nothing is journalled, since the
   * run's id is the seed's too.
   */
  async runCaseDeterministic(
    input: string,
    seed = 42,
    options: Omit<CaseOptions, 'seed' | 'idempotencyKey'> = {},
  ): Promise<CaseResult> {
    const { journal: _, ...services } = this.#parts.services
    const still = { ...services, clock: countingClock(services.clock), ids: seededIds(seed) }
    const decider = new Decider({ ...this.#parts, services: still })
    // Not the host's zone: what a day is must not depend on the machine.
    const timeZone = this.#parts.settings.telemetry.timezone ?? 'UTC'
    return decider.runCase(input, { timeZone, ...options, seed })
  }

  /** Begins a case, for callers that want to watch it. */
  async start(input: string, options: CaseOptions = {}): Promise<CaseRun> {
    const policy = policyFor(this.#parts.settings, options.mode ?? MODES[0])
    const given = caseInput(input, options, policy)
    this.#checkTools(given.expectedTools)
    const models = await this.#bindModels(policy.rungs.map(({ role, model }) => [role, model]))
    const { services } = this.#parts
    const timeZone = options.timeZone ?? services.timeZone
    const runId = services.ids.next()
    return this.#watch({ policy, runId, timeZone, models, options }, (definition, surroundings) =>
      startRun(definition, given, surroundings, {
        runId,
        seed: options.seed ?? 1,
        ...(options.signal === undefined ? {} : { signal: options.signal }),
      }),
    )
  }

  /**
   * Goes on with a case that another process began, from the decider's journal: with the models
   * and the limits that it was begun with. Its log holds what happens from now on; a case that had
   * ended gives its end again.
   * @throws EchelonError INVALID_INPUT for an unknown run, JOURNAL_MISMATCH for one of other code
   */
  async resume(
    runId: string,
    options: Pick<CaseOptions, 'signal' | 'onEvent' | 'onLog' | 'taskId' | 'contextId'> = {},
  ): Promise<CaseRun> {
    const { settings, services } = this.#parts
    const entries = (await services.journal?.read(runId)) ?? []
    const { input, models: begun, timeZone } = findStarted(DECIDE, entries)
    const policy = policyFor(settings, modeOf(input))
    const models = await this.#bindModels(Object.entries(begun))
    return this.#watch({ policy, runId, timeZone, models, options }, (definition, surroundings) =>
      resumeRun(definition, entries, {
        services: surroundings,
        ...(options.signal === undefined ? {} : { signal: options.signal }),
      }),
    )
  }

  #watch(
    { policy, runId, timeZone, models, options }: Begun,
    begin: (definition: DecideAgent, services: Services) => CaseRun['run'],
  ): CaseRun {
    const { settings } = this.#parts
    const services = { ...this.#parts.services, timeZone }
    const { clock, ids } = services
    const { taskId = ids.next(), contextId = ids.next(), onEvent, onLog } = options
    const redact = redactorFor(settings, this.#parts.secrets)
    const metadata = { mode: policy.mode }
    const now = (): number => clock.now()
    const log = new CaseLog({ runId, taskId, timeZone, now, metadata, sink: onLog })
    const run = begin(decideAgent({ policy, tools: this.#registry.list(), readQuestion }), {
      ...services,
      models,
      tools: this.#registry,
      limits: policy.limits,
      redact,
      ...(onEvent === undefined ? { hears: LOGGED_EVENTS } : {}),
      listener(event) {
        log.hear(event)
        onEvent?.(event)
      },
    })
    return caseRun({ run, log, policy, taskId, contextId, redact })
  }

  #checkTools(expected: readonly string[]): void {
    const missing = expected.find((name) => this.#registry.find(name) === undefined)
    if (missing === undefined) return
    const known = this.#registry.list().map(({ name }) => name)
    throw new EchelonError(
      'INVALID_INPUT',
      `there is no tool ${missing} to rest an answer on; there are ${known.join(', ')}`,
    )
  }

  async #bindModels(
    names: readonly (readonly [role: string, model: string])[],
  ): Promise<Readonly<Record<string, BoundModel>>> {
    const bound = names.map(
      async ([role, model]) => [role, await this.#parts.resolveModel(model)] as const,
    )
    return Object.fromEntries(await Promise.all(bound))
  }
}

type DecideAgent = ReturnType<typeof decideAgent>

interface Begun {
  readonly policy: Policy
  readonly runId: string
  readonly timeZone: string
  readonly models: Readonly<Record<string, BoundModel>>
  readonly options: Pick<CaseOptions, 'onEvent' | 'onLog' | 'taskId' | 'contextId'>
}

/** The mode that a recorded run was begun in. */
function modeOf(input: Json): Mode {
  const mode = isJsonObject(input) ? input['mode'] : undefined
  const known = MODES.find((one) => one === mode)
  if (known !== undefined) return known
  throw new EchelonError('JOURNAL_MISMATCH', 'the run was begun by other code; finish it there')
}

/** What decides about a case's result; an option that is left out is its default. */
function identityOf(input: string, options: CaseOptions): string {
  const { mode = MODES[0], expectedTools = [], goldAnswer = null } = options
  const { seed = null, today = null, timeZone = null } = options
  return JSON.stringify([input, mode, expectedTools, goldAnswer, seed, today, timeZone])
}

/**
 * Hides what the settings say before anything is logged or shown to a watcher. Not what is for
 * whoever asked, the answer, nor what the run must remember to go on, the journal.
 */
function redactorFor(
  { telemetry }: DecideSettings,
  secrets: DeciderParts['secrets'] = [],
): Redactor {
  const { redact_pii, redact_fields: deny, keep_fields: allow } = telemetry
  // A key of the program itself is nobody's to see, whatever is said of personal data.
  if (!redact_pii) return createRedactor({ deny: [], allow: [], content: false, secrets })
  return createRedactor({ deny, allow, content: true, secrets })
}

/** Where time starts in a deterministic case. */
const FIRST_MOMENT = Date.UTC(2025, 0, 1)

/** Time that passes a millisecond at each reading; timers still belong to the real clock. */
function countingClock(real: Clock): Clock {
  let readings = 0
  return { now: () => FIRST_MOMENT + readings++, after: (ms, callback) => real.after(ms, callback) }
}
