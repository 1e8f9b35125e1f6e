import { EchelonError } from '../../core/value/error.ts'
import type { Started } from '../../core/journal/journal.ts'
import type { BoundModel, Reasoning } from '../../core/model/model.ts'
import { seededIds } from '../../core/value/random.ts'
import type { ResultStore } from '../../core/store/result-store.ts'
import type { Recorder } from '../../core/observability/run-record.ts'
import type { AnyDefinition } from '../../core/agent/state-holder.ts'
import type { Tool } from '../../core/tool/tool.ts'
import type { Tracing } from '../../core/observability/tracing.ts'
import { findStarted } from '../../runtime/journal/fold.ts'
import { readRun } from '../../runtime/journal/read-run.ts'
import { startRun } from '../../runtime/run.ts'
import type { Services } from '../../runtime/services.ts'
import { ToolRegistry } from '../../runtime/tools/tool-registry.ts'
import { type AnswerGate, checkAnswerGate } from './answers/answer-gate.ts'
import { assertAsked } from './case/asked-models.ts'
import { caseInput } from './case/case-input.ts'
import type { CaseForkOptions, CaseOptions, ResumeOptions } from './case/case-options.ts'
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
import { type Policy, policyFor, withMaxCost, withModels } from './settings/modes.ts'
import type { DecideInput } from './state.ts'
import { type DecideSettings, type Mode, MODES } from './settings/settings.ts'
import { modeOf } from './settings/recorded-mode.ts'
import { timestampIn } from '../../core/value/timestamp.ts'
import { withRetries } from './plan/tool-retries.ts'
import { isUnknown } from './verification/claim.ts'
import { Verification } from './verification/verification.ts'
import type { Verifier } from './verification/verifier.ts'
import { type Begun, watchedCase } from './case/watched-case.ts'

/** The parts of a decider. */
export interface DeciderParts {
  readonly settings: DecideSettings
  readonly tools: readonly Tool[]
  /** Checks the answers, in this order. */
  readonly verifiers: readonly Verifier[]
  /** Judges answers that no verifier reads. Without it, they have to have the form that a case asks for. */
  readonly gate?: AnswerGate
  /** Defaults for cases that do not set these options. */
  readonly caseDefaults?: Pick<CaseOptions, 'mode' | 'seed'>
  /** The store of idempotency keys. By default each decider has its own. */
  readonly shared?: SharedExecutions<CaseResult>
  /** A store of keys shared by all processes; the journal must then use the same store. */
  readonly results?: ResultStore
  /** Loads a model by name, `provider/model`, with a reasoning effort, or its provider's default. */
  readonly resolveModel: (name: string, reasoning?: Reasoning) => Promise<BoundModel>
  readonly services: Pick<Services, 'artifacts' | 'clock' | 'ids' | 'timeZone'> &
    Partial<Pick<Services, 'journal' | 'memory' | 'retry'>>
  /** Records each case, if given. */
  readonly records?: Recorder
  /** Traces each case, if given. */
  readonly tracing?: Tracing
  /** Values that are never shown, such as the provider keys. */
  readonly secrets?: readonly string[]
}

/** Decides tasks with one set of models, tools and limits. Any number of cases may run at the same time. */
export class Decider {
  readonly #parts: DeciderParts
  readonly #registry: ToolRegistry
  readonly #verification: Verification
  readonly #shared: SharedExecutions<CaseResult>
  readonly #lasting: LastingKeys<CaseResult> | undefined

  constructor(parts: DeciderParts) {
    if (parts.gate !== undefined) checkAnswerGate(parts.gate)
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

  /** The name of its cases in journals. */
  get name(): string {
    return DECIDE.name
  }

  /** The models that it uses, cheapest first. */
  get models(): readonly string[] {
    return this.#policy(MODES[0]).rungs.map(({ model }) => model)
  }

  /**
   * Validates a case's input, options and tools without any call.
   * @throws EchelonError as `runCase` would before its first call
   */
  check(input: string, options: CaseOptions = {}): void {
    const { caseDefaults, services } = this.#parts
    const wanted = { ...caseDefaults, ...options }
    const policy = this.#policy(wanted.mode ?? MODES[0])
    this.#checkTools(this.#input(input, wanted, policy).expectedTools)
    timestampIn(wanted.timeZone ?? services.timeZone, 0)
  }

  /** Whether an answer to the question could be checked without a known answer. Makes no call. */
  canCheck(
    input: string,
    { today, timeZone }: Pick<CaseOptions, 'today' | 'timeZone'> = {},
  ): boolean {
    const { services } = this.#parts
    const day = today ?? dateIn(timeZone ?? services.timeZone, services.clock.now())
    return !isUnknown(this.#verification.read({ input, today: day }))
  }

  /**
   * Runs a case to its end. Failures during the run are in the result.
   * @throws EchelonError for unusable input, options or configuration; MODEL_FAILED if no model could be asked at
   * all
   */
  async runCase(input: string, options: CaseOptions = {}): Promise<CaseResult> {
    return assertAsked(await this.runOutcome(input, options))
  }

  /**
   * Like `runCase`, but also returns a result if no model could be asked: its `problem` says why.
   * @throws EchelonError for unusable input, options or configuration
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
      // `start` or the run itself has already reported any other error.
      const isReused = error instanceof EchelonError && error.code === 'KEY_REUSED'
      throw isReused ? this.#refused(error) : error
    })
  }

  /** Begins a case by its key: as the only execution in this process, or across a shared store. */
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

  /** Starts a run, or resumes it if another process started it. */
  async #execute(
    runId: string,
    input: string,
    options: CaseOptions,
  ): Promise<Execution<CaseResult> | undefined> {
    const entries = (await this.#parts.services.journal?.read(runId)) ?? []
    if (entries.length === 0)
      return executionOf(await this.#recordingRefusal(this.#start(input, options, runId)))
    const end = entries.findLast((entry) => entry.type === 'ended' && entry.path === '')
    const isCanceled = end?.type === 'ended' && end.status === 'canceled'
    return isCanceled ? undefined : executionOf(await this.resume(runId, options))
  }

  /** The partial result of a case that another process executes, for a caller that does not wait. */
  #untried(runId: string, input: string, options: CaseOptions): CaseResult {
    const { settings, caseDefaults, services, secrets } = this.#parts
    const { mode = MODES[0], seed = 1, ...others } = { ...caseDefaults, ...options }
    const policy = this.#policy(mode)
    return untriedCase({
      runId,
      definition: this.#definition(policy),
      input: this.#input(input, others, policy),
      policy,
      at: services.clock.now(),
      seed,
      timeZone: options.timeZone ?? services.timeZone,
      redact: redactorFor(settings, secrets),
    })
  }

  /**
   * Like `runCase`, with every source of variation fixed: time starts at the specification's epoch and advances
   * one millisecond per reading, and ids and jitter come from the seed. The same seed, input and model answers
   * give the same log, byte for byte. Nothing is journaled or recorded, because the run's id comes from the seed
   * too.
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
    // Not the host's time zone: the day must not depend on the machine.
    const timeZone = this.#parts.settings.telemetry.timezone ?? 'UTC'
    return decider.runCase(input, { timeZone, ...options, seed })
  }

  /** Starts a case and returns its handle, for callers that want to follow it. */
  start(input: string, options: CaseOptions = {}): Promise<CaseRun> {
    return this.#recordingRefusal(this.#start(input, options))
  }

  async #start(input: string, options: CaseOptions, asRun?: string): Promise<CaseRun> {
    const { caseDefaults, services } = this.#parts
    const wanted = { ...caseDefaults, ...options }
    const policy = withMaxCost(this.#policy(wanted.mode ?? MODES[0]), options.maxCost)
    const given = this.#input(input, wanted, policy)
    this.#checkTools(given.expectedTools)
    const models = await this.#bindModels(
      [...policy.rungs, ...policy.asked].map(({ role, model }) => [role, model]),
      policy,
    )
    const timeZone = options.timeZone ?? services.timeZone
    const runId = asRun ?? options.runId ?? services.ids.next()
    const { records } = this.#parts
    const begun = { policy, runId, timeZone, models, options, input: given, records }
    const watched = this.#watched(begun)
    const run = startRun(this.#definition(policy), given, watched.services, {
      runId,
      seed: wanted.seed ?? 1,
      traceparent: options.traceparent,
      tracestate: options.tracestate,
      ...(options.signal && { signal: options.signal }),
      ...(options.made !== undefined && { made: options.made }),
      ...(options.suspend && { suspend: options.suspend }),
    })
    return watched.handle(run)
  }

  /**
   * Resumes a case that another process started, from the decider's journal, with its original models and limits.
   * The log starts at the resumption; an ended case returns its result again.
   * @throws EchelonError UNKNOWN_RUN; JOURNAL_MISMATCH if other code wrote the run
   */
  resume(runId: string, options: ResumeOptions = {}): Promise<CaseRun> {
    return this.#recordingRefusal(this.#resume(runId, options))
  }

  async #resume(runId: string, options: ResumeOptions): Promise<CaseRun> {
    const { services } = this.#parts
    const { journal } = services
    const entries = journal === undefined ? [] : await readRun(journal, runId, DECIDE)
    const { input, models: begun, timeZone } = findStarted(DECIDE, entries)
    const policy = withModels(this.#policy(modeOf(input)), begun)
    const models = await this.#bindModels(Object.entries(begun), policy)
    // An ended case is already recorded.
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
    const { resumeRun } = await import('../../runtime/resume.ts')
    const watched = this.#watched(resumed)
    const run = resumeRun(this.#definition(policy), entries, {
      services: watched.services,
      traceparent: options.traceparent,
      tracestate: options.tracestate,
      ...(options.signal && { signal: options.signal }),
      ...(options.suspend && { suspend: options.suspend }),
    })
    return watched.handle(run)
  }

  /**
   * Starts a case from a step of another one, with its spending up to there. A tool that acts answers from the
   * record of the other case, or is denied, unless `act` names it.
   * @throws EchelonError as `resume`; INVALID_INPUT for a step that was never reached, or an unknown role
   */
  fork(runId: string, options: CaseForkOptions): Promise<CaseRun> {
    return this.#recordingRefusal(this.#fork(runId, options))
  }

  async #fork(from: string, options: CaseForkOptions): Promise<CaseRun> {
    const { services, records } = this.#parts
    const { at, act, models: named = {}, as: runId = services.ids.next() } = options
    const entries =
      services.journal === undefined ? [] : await readRun(services.journal, from, DECIDE)
    const { input, models: begun, timeZone } = findStarted(DECIDE, entries)
    const policy = withModels(this.#policy(modeOf(input)), { ...begun, ...named })
    const models = await this.#bindModels(Object.entries({ ...begun, ...named }), policy)
    const { forkRun } = await import('../../runtime/journal/fork-run.ts')
    const watched = this.#watched({ policy, runId, timeZone, models, options, input, records })
    const run = forkRun(this.#definition(policy), entries, {
      at,
      runId,
      models: named,
      services: watched.services,
      ...(act && { act }),
      ...(options.signal && { signal: options.signal }),
      ...(options.suspend && { suspend: options.suspend }),
    })
    return watched.handle(run)
  }

  /**
   * The definition that would resume a recorded run; undefined for a run of another agent.
   * @throws EchelonError JOURNAL_MISMATCH if other code wrote the run
   */
  definitionFor(started: Started): AnyDefinition | undefined {
    if (started.agent !== DECIDE.name) return undefined
    const policy = this.#policy(modeOf(started.input))
    return this.#definition(policy)
  }

  #definition(policy: Policy): DecideAgent {
    const { gate } = this.#parts
    return decideAgent({
      policy,
      tools: this.#registry.list(),
      verification: this.#verification,
      ...(gate && { gate }),
    })
  }

  #policy(mode: Mode): Policy {
    const { settings, gate } = this.#parts
    return policyFor(settings, mode, gate?.ask)
  }

  /** With a gate, every case asks for a kind of answer, so that the gate can judge it. */
  #input(input: string, options: CaseOptions, policy: Policy): DecideInput {
    const isJudged = this.#parts.gate !== undefined && options.wanted === undefined
    return caseInput(input, isJudged ? { ...options, wanted: { kind: 'text' } } : options, policy)
  }

  /** Waits for a case to begin. Records the error if it does not. */
  #recordingRefusal(beginning: Promise<CaseRun>): Promise<CaseRun> {
    return beginning.catch((error: unknown) => {
      throw this.#refused(error)
    })
  }

  /** Records an error before it is thrown. */
  #refused<Thrown>(error: Thrown): Thrown {
    const { records, services } = this.#parts
    if (error instanceof EchelonError) {
      const ts = timestampIn(services.timeZone, services.clock.now())
      records?.record({ type: 'run-refused', ts, agent: DECIDE.name, code: error.code })
    }
    return error
  }

  #watched(begun: Begun): ReturnType<typeof watchedCase> {
    return watchedCase(begun, { ...this.#parts, tools: this.#registry })
  }

  #checkTools(expected: readonly string[]): void {
    const missing = expected.find((name) => this.#registry.find(name) === undefined)
    if (missing === undefined) return
    const known = this.#registry.list().map(({ name }) => name)
    throw new EchelonError(
      'UNKNOWN_TOOL',
      `there is no tool ${missing} for an answer to use; there are ${known.join(', ')}`,
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

type DecideAgent = ReturnType<typeof decideAgent>
