import { EchelonError } from '../../core/value/error.ts'
import type { Started } from '../../core/journal/journal.ts'
import { isJsonObject, type Json } from '../../core/value/json.ts'
import type { BoundModel, Reasoning } from '../../core/model/model.ts'
import { seededIds } from '../../core/value/random.ts'
import type { ResultStore } from '../../core/store/result-store.ts'
import type { Recorder } from '../../core/observability/run-record.ts'
import type { AnyDefinition } from '../../core/agent/state-holder.ts'
import type { Tool } from '../../core/tool/tool.ts'
import type { Tracing } from '../../core/observability/tracing.ts'
import { findStarted } from '../../runtime/record/fold.ts'
import { readRun } from '../../runtime/record/read-run.ts'
import { resumeRun } from '../../runtime/resume.ts'
import { startRun } from '../../runtime/run.ts'
import type { Services } from '../../runtime/services.ts'
import { ToolRegistry } from '../../runtime/tools/tool-registry.ts'
import { assertAsked } from './case/asked-models.ts'
import { caseInput } from './case/case-input.ts'
import type { CaseOptions } from './case/case-options.ts'
import { countingClock } from './case/counting-clock.ts'
import { redactorFor } from './case/case-redactor.ts'
import type { CaseResult } from './case/case-result.ts'
import { type CaseRun, executionOf } from './case/case-run.ts'
import { dateIn } from './case/date-in-words.ts'
import { DECIDE, decideAgent } from './decide.ts'
import { identityOf, isKept, storedCase } from './case/kept-case.ts'
import { LastingKeys } from './case/lasting-keys.ts'
import { type Execution, SharedExecutions } from './case/shared-executions.ts'
import { untriedCase } from './case/untried-case.ts'
import { type Policy, policyFor } from './settings/modes.ts'
import { type DecideSettings, type Mode, MODES } from './settings/settings.ts'
import { timestampIn } from '../../core/value/timestamp.ts'
import { withRetries } from './plan/tool-retries.ts'
import { isUnknown } from './verification/claim.ts'
import { Verification } from './verification/verification.ts'
import type { Verifier } from './verification/verifier.ts'
import { type Begun, watchedCase } from './case/watched-case.ts'

/** What a decider is made of. */
export interface DeciderParts {
  readonly settings: DecideSettings
  readonly tools: readonly Tool[]
  /** Who checks answers, in the order in which they are asked. */
  readonly verifiers: readonly Verifier[]
  /** What holds for a case that does not say otherwise. */
  readonly caseDefaults?: Pick<CaseOptions, 'mode' | 'seed'>
  /** Where idempotency keys are kept; by default each decider keeps its own. */
  readonly shared?: SharedExecutions<CaseResult>
  /** Where they are kept for all processes; the journal is then of the same store. */
  readonly results?: ResultStore
  /** Loads a model by name, `provider/model`, that thinks so long, or as its provider is set. */
  readonly resolveModel: (name: string, reasoning?: Reasoning) => Promise<BoundModel>
  readonly services: Pick<Services, 'artifacts' | 'clock' | 'ids' | 'timeZone'> &
    Partial<Pick<Services, 'journal' | 'memory' | 'retry'>>
  /** Hears of each case; without one nobody does. */
  readonly records?: Recorder
  /** Follows each case; without one nobody does. */
  readonly tracing?: Tracing
  /** Values that nothing shows, such as the keys of the models' providers. */
  readonly secrets?: readonly string[]
}

/** Decides tasks: one set of models, tools and limits, any number of cases, also at the same time. */
export class Decider {
  readonly #parts: DeciderParts
  readonly #registry: ToolRegistry
  readonly #verification: Verification
  readonly #shared: SharedExecutions<CaseResult>
  readonly #lasting: LastingKeys<CaseResult> | undefined

  constructor(parts: DeciderParts) {
    this.#parts = parts
    this.#verification = new Verification(parts.verifiers)
    this.#shared = parts.shared ?? new SharedExecutions()
    if (parts.results !== undefined) {
      this.#lasting = new LastingKeys(parts.results, parts.services.clock)
    }
    const { allowed_tools, denied_tools } = parts.settings.security
    this.#registry = new ToolRegistry(withRetries(parts.tools, parts.settings.tools), {
      deny: denied_tools,
      ...(allowed_tools === null ? {} : { allow: allowed_tools }),
    })
  }

  /** What its cases are called in journals. */
  get name(): string {
    return DECIDE.name
  }

  /** The models that it decides with, cheapest first. */
  get models(): readonly string[] {
    return policyFor(this.#parts.settings, MODES[0]).rungs.map(({ model }) => model)
  }

  /**
   * Whether a case could be begun: its input, options and tools. Calls nothing.
   * @throws EchelonError as `runCase` would before its first call
   */
  check(input: string, options: CaseOptions = {}): void {
    const { settings, caseDefaults, services } = this.#parts
    const wanted = { ...caseDefaults, ...options }
    const policy = policyFor(settings, wanted.mode ?? MODES[0])
    this.#checkTools(caseInput(input, wanted, policy).expectedTools)
    timestampIn(wanted.timeZone ?? services.timeZone, 0)
  }

  /** Whether an answer to the question could be checked without knowing it. Calls nothing. */
  canCheck(
    input: string,
    { today, timeZone }: Pick<CaseOptions, 'today' | 'timeZone'> = {},
  ): boolean {
    const { services } = this.#parts
    const day = today ?? dateIn(timeZone ?? services.timeZone, services.clock.now())
    return !isUnknown(this.#verification.read({ input, today: day }))
  }

  /**
   * Runs a case to its end. What goes wrong on the way is in the result.
   * @throws EchelonError for input, options or configuration that cannot be used; MODEL_FAILED where no
   * model could be asked at all
   */
  async runCase(input: string, options: CaseOptions = {}): Promise<CaseResult> {
    return assertAsked(await this.runOutcome(input, options))
  }

  /**
   * The same, and a result also where no model could be asked: its `problem` says why.
   * @throws EchelonError for input, options or configuration that cannot be used
   */
  async runOutcome(input: string, options: CaseOptions = {}): Promise<CaseResult> {
    const { idempotencyKey, signal, ...rest } = options
    if (idempotencyKey === undefined) return (await this.start(input, options)).outcome
    const joined = this.#shared.join(idempotencyKey, {
      input: identityOf(input, options),
      begin: (everyoneLeft) =>
        this.#begin(idempotencyKey, input, { ...rest, signal: everyoneLeft }),
      keep: isKept,
      signal,
    })
    return joined.catch((error: unknown) => {
      // Of all else `start` has told, or the run itself.
      const isReused = error instanceof EchelonError && error.code === 'KEY_REUSED'
      throw isReused ? this.#refused(error) : error
    })
  }

  /** Begins a case by its key: as its only execution in this process, or in all that share a store. */
  async #begin(
    key: string,
    input: string,
    options: CaseOptions & { readonly signal: AbortSignal },
  ): Promise<Execution<CaseResult>> {
    if (this.#lasting === undefined) return executionOf(await this.start(input, options))
    this.check(input, options)
    const { ids } = this.#parts.services
    return this.#lasting.begin(key, {
      input: identityOf(input, options),
      newRun: () => ids.next(),
      signal: options.signal,
      execute: (run) => this.#execute(run, input, options),
      isBegun: async (run) => ((await this.#parts.services.journal?.read(run)) ?? []).length > 0,
      nothingYet: (run) => this.#untried(run, input, options),
      keep: isKept,
      read: storedCase,
    })
  }

  /** Begins a run, or goes on with it where another process began it. */
  async #execute(
    runId: string,
    input: string,
    options: CaseOptions,
  ): Promise<Execution<CaseResult> | undefined> {
    const entries = (await this.#parts.services.journal?.read(runId)) ?? []
    if (entries.length === 0) return executionOf(await this.#startAs(runId, input, options))
    const end = entries.findLast((entry) => entry.type === 'ended' && entry.path === '')
    const isCanceled = end?.type === 'ended' && end.status === 'canceled'
    return isCanceled ? undefined : executionOf(await this.resume(runId, options))
  }

  /** What there is of a case that another process executes, for whoever does not wait for it. */
  #untried(runId: string, input: string, options: CaseOptions): CaseResult {
    const { settings, caseDefaults, services, secrets } = this.#parts
    const { mode = MODES[0], seed = 1, ...others } = { ...caseDefaults, ...options }
    const policy = policyFor(settings, mode)
    return untriedCase({
      runId,
      definition: this.#definition(policy),
      input: caseInput(input, others, policy),
      policy,
      at: services.clock.now(),
      seed,
      timeZone: options.timeZone ?? services.timeZone,
      redact: redactorFor(settings, secrets),
    })
  }

  /**
   * The same with everything that varies held still: time starts at the epoch of the specification
   * and passes a millisecond at each reading, ids and jitter come from the seed. The same seed,
   * input and model answers give the same log, byte for byte. Nothing is journalled or recorded,
   * since the run's id is the seed's too.
   */
  async runCaseDeterministic(
    input: string,
    seed = 42,
    options: Omit<CaseOptions, 'seed' | 'idempotencyKey'> = {},
  ): Promise<CaseResult> {
    const { records: _records, results: _results, ...parts } = this.#parts
    const { journal: _journal, ...services } = parts.services
    const still = { ...services, clock: countingClock(services.clock), ids: seededIds(seed) }
    const decider = new Decider({ ...parts, services: still })
    // Not the host's zone: what a day is must not depend on the machine.
    const timeZone = this.#parts.settings.telemetry.timezone ?? 'UTC'
    return decider.runCase(input, { timeZone, ...options, seed })
  }

  /** Begins a case, for callers that want to watch it. */
  start(input: string, options: CaseOptions = {}): Promise<CaseRun> {
    return this.#startAs(undefined, input, options)
  }

  async #startAs(runId: string | undefined, input: string, options: CaseOptions): Promise<CaseRun> {
    try {
      return await this.#start(input, options, runId)
    } catch (error) {
      throw this.#refused(error)
    }
  }

  async #start(input: string, options: CaseOptions, asRun?: string): Promise<CaseRun> {
    const { settings, caseDefaults, services } = this.#parts
    const wanted = { ...caseDefaults, ...options }
    const policy = policyFor(settings, wanted.mode ?? MODES[0])
    const given = caseInput(input, wanted, policy)
    this.#checkTools(given.expectedTools)
    const models = await this.#bindModels(
      policy.rungs.map(({ role, model }) => [role, model]),
      policy,
    )
    const timeZone = options.timeZone ?? services.timeZone
    const runId = asRun ?? services.ids.next()
    const { records } = this.#parts
    const begun = { policy, runId, timeZone, models, options, input: given, records }
    return this.#watch(begun, (definition, surroundings) =>
      startRun(definition, given, surroundings, {
        runId,
        seed: wanted.seed ?? 1,
        traceparent: options.traceparent,
        tracestate: options.tracestate,
        ...(options.signal && { signal: options.signal }),
        ...(options.made !== undefined && { made: options.made }),
        ...(options.suspend && { suspend: options.suspend }),
      }),
    )
  }

  /**
   * Goes on with a case that another process began, from the decider's journal: with the models
   * and the limits that it was begun with. Its log holds what happens from now on; a case that had
   * ended gives its end again.
   * @throws EchelonError UNKNOWN_RUN, JOURNAL_MISMATCH for one of other code
   */
  async resume(runId: string, options: ResumeOptions = {}): Promise<CaseRun> {
    try {
      return await this.#resume(runId, options)
    } catch (error) {
      throw this.#refused(error)
    }
  }

  async #resume(runId: string, options: ResumeOptions): Promise<CaseRun> {
    const { settings, services } = this.#parts
    const { journal } = services
    const entries = journal === undefined ? [] : await readRun(journal, runId, DECIDE)
    const { input, models: begun, timeZone } = findStarted(DECIDE, entries)
    const policy = policyFor(settings, modeOf(input))
    const models = await this.#bindModels(Object.entries(begun), policy)
    // One that has ended is on record already.
    const records = entries.some(({ type }) => type === 'ended') ? undefined : this.#parts.records
    const resumed = {
      policy,
      runId,
      timeZone,
      models,
      options,
      input,
      records,
      entries,
      resumed: true,
    } as const
    return this.#watch(resumed, (definition, surroundings) =>
      resumeRun(definition, entries, {
        services: surroundings,
        traceparent: options.traceparent,
        tracestate: options.tracestate,
        ...(options.signal && { signal: options.signal }),
        ...(options.suspend && { suspend: options.suspend }),
      }),
    )
  }

  /**
   * The agent as it would go on with a recorded run; nothing for a run of another agent.
   * @throws EchelonError JOURNAL_MISMATCH for a run of other code
   */
  definitionFor(started: Started): AnyDefinition | undefined {
    if (started.agent !== DECIDE.name) return undefined
    const policy = policyFor(this.#parts.settings, modeOf(started.input))
    return this.#definition(policy)
  }

  #definition(policy: Policy): DecideAgent {
    return decideAgent({ policy, tools: this.#registry.list(), verification: this.#verification })
  }

  /** Tells whoever keeps records of an error before it is thrown. */
  #refused<Thrown>(error: Thrown): Thrown {
    const { records, services } = this.#parts
    if (error instanceof EchelonError) {
      const ts = timestampIn(services.timeZone, services.clock.now())
      records?.record({ type: 'run-refused', ts, agent: DECIDE.name, code: error.code })
    }
    return error
  }

  #watch(
    begun: Begun,
    begin: (definition: DecideAgent, services: Services) => CaseRun['run'],
  ): CaseRun {
    const definition = this.#definition(begun.policy)
    const around = { ...this.#parts, tools: this.#registry }
    return watchedCase(begun, around, (services) => begin(definition, services))
  }

  #checkTools(expected: readonly string[]): void {
    const missing = expected.find((name) => this.#registry.find(name) === undefined)
    if (missing === undefined) return
    const known = this.#registry.list().map(({ name }) => name)
    throw new EchelonError(
      'UNKNOWN_TOOL',
      `there is no tool ${missing} to rest an answer on; there are ${known.join(', ')}`,
    )
  }

  async #bindModels(
    names: readonly (readonly [role: string, model: string])[],
    { rungs }: Policy,
  ): Promise<Readonly<Record<string, BoundModel>>> {
    const bound = names.map(async ([role, model]) => {
      const reasoning = rungs.find((rung) => rung.role === role)?.reasoning
      return [role, await this.#parts.resolveModel(model, reasoning)] as const
    })
    return Object.fromEntries(await Promise.all(bound))
  }
}

type ResumeOptions = Pick<
  CaseOptions,
  'signal' | 'suspend' | 'onEvent' | 'onLog' | 'taskId' | 'contextId' | 'traceparent' | 'tracestate'
>

type DecideAgent = ReturnType<typeof decideAgent>

/** The mode that a recorded run was begun in. */
function modeOf(input: Json): Mode {
  const mode = isJsonObject(input) ? input['mode'] : undefined
  const known = MODES.find((one) => one === mode)
  if (known !== undefined) return known
  throw new EchelonError('JOURNAL_MISMATCH', 'the run was begun by other code; finish it there')
}
