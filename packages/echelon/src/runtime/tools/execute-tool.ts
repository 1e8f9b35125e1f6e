import type { Artifact, ArtifactStore } from '../../core/tool/artifact.ts'
import { EchelonError, type ErrorCode } from '../../core/value/error.ts'
import type { Json, JsonObject } from '../../core/value/json.ts'
import { jsonForm } from '../../core/value/json-form.ts'
import type { Redactor } from '../../core/redaction/redaction.ts'
import { type Validated, validate } from '../../core/schema/schema.ts'
import { messageOf } from '../../core/value/thrown-error.ts'
import {
  type Tool,
  type ToolContext,
  ToolError,
  type ToolFault,
  type ToolOutcome,
} from '../../core/tool/tool.ts'
import type { Cause, Deadline } from '../model/deadline.ts'

/** The services that an execution needs to build a `ToolContext`. */
export interface ToolSurroundings extends Omit<ToolContext, 'signal' | 'ask'> {
  /** @param over aborts the question when its call is over */
  readonly ask?: (
    question: string,
    schema: JsonObject | undefined,
    over: AbortSignal,
  ) => Promise<Json>
  /** Called with an error that the tool threw, before it becomes an outcome. */
  readonly threw?: (error: unknown) => void
  /** Hides secrets in the messages of thrown errors. */
  readonly redact: Redactor
}

/**
 * Executes a tool once: validates the arguments, limits the time and collects written files. Errors
 * become outcomes. It releases the deadline at the end, and returns synchronously if the tool does.
 */
export function executeTool(
  tool: Tool,
  input: Json,
  surroundings: ToolSurroundings,
  deadline: Deadline,
): ToolOutcome | Promise<ToolOutcome> {
  const execution = new Execution(tool, surroundings, deadline)
  try {
    execution.assertInTime()
    const checking = validate(tool.input, input)
    const running =
      checking instanceof Promise
        ? checking.then((checked) => execution.run(checked))
        : execution.run(checking)
    if (isAwaited(running)) return untilOver(execution, deadline.race(Promise.resolve(running)))
    return execution.afterQuestions(execution.end(running))
  } catch (error) {
    return execution.afterQuestions(execution.fail(error))
  }
}

/** Returns whether a value is a promise or thenable, such as the queries of some libraries. */
function isAwaited(returned: unknown): returned is PromiseLike<unknown> {
  if (returned instanceof Promise) return true
  if (typeof returned !== 'object' || returned === null) return false
  return 'then' in returned && typeof returned.then === 'function'
}

async function untilOver(execution: Execution, running: Promise<unknown>): Promise<ToolOutcome> {
  try {
    return await execution.afterQuestions(execution.end(await running))
  } catch (error) {
    return await execution.afterQuestions(execution.fail(error))
  }
}

/** An execution in progress. The tool gets a separate, more restricted object (`Context`). */
class Execution {
  readonly #tool: Tool
  readonly #context: Context
  readonly #surroundings: ToolSurroundings
  readonly #deadline: Deadline

  constructor(tool: Tool, surroundings: ToolSurroundings, deadline: Deadline) {
    this.#tool = tool
    this.#surroundings = surroundings
    this.#context = new Context(surroundings, deadline)
    this.#deadline = deadline
  }

  /** @throws an error for `fail` to convert */
  assertInTime(): void {
    const { cause } = this.#deadline
    if (cause !== undefined) throw new ToolError('TOOL_ERROR', WHY[cause])
  }

  run(checked: Validated<unknown>): unknown {
    // The time may have run out during the check.
    this.assertInTime()
    if (!checked.ok) throw new ToolError('INVALID_ARGS', checked.message)
    this.#context.stage = 'running'
    return this.#tool.run(checked.value, this.#context)
  }

  /** Converts the returned value. It never fails, since any value has a JSON form. */
  end(returned: unknown): ToolOutcome {
    this.#release()
    const value = jsonForm(returned)
    const { kept } = this.#context
    if (kept === undefined || kept.length === 0) return { type: 'ok', value }
    return { type: 'ok', value, artifacts: [...kept] }
  }

  fail(error: unknown): ToolOutcome {
    const { cause } = this.#deadline
    const { stage } = this.#context
    this.#release()
    // Not a tool failure: a replay diverged from its recording, or the run was suspended.
    if (error instanceof EchelonError && NO_TOOL_FAILED.has(error.code)) throw error
    if (cause !== undefined) return abortedOutcome(this.#tool, cause, stage)
    return stage === 'running' ? this.#thrown(error) : thrown(this.#tool, error)
  }

  /** Redacts the message: it may hold a password, and the model may repeat what it reads. */
  #thrown(error: unknown): ToolOutcome {
    this.#surroundings.threw?.(error)
    const outcome = thrown(this.#tool, error)
    return 'message' in outcome
      ? { ...outcome, message: this.#surroundings.redact(outcome.message) }
      : outcome
  }

  /**
   * Returns the outcome after the open questions are withdrawn, so that no question outlives its
   * call. Like the questions, waiting for that does not count as work.
   */
  afterQuestions(outcome: ToolOutcome): ToolOutcome | Promise<ToolOutcome> {
    const { questions } = this.#context
    if (questions === undefined || questions.open.size === 0) return outcome
    return Promise.allSettled(questions.open).then(() => outcome)
  }

  #release(): void {
    this.#context.stage = 'over'
    this.#context.questions?.over.abort()
    this.#deadline.release()
  }
}

/** Progress and questions of a tool are ignored unless it is `running`. */
type Stage = 'checking' | 'running' | 'over'

/** The context passed to the tool. Its parts are created lazily, since most tools use few. */
class Context implements ToolContext {
  stage: Stage = 'checking'
  readonly #surroundings: ToolSurroundings
  readonly #deadline: Deadline
  kept: Artifact[] | undefined
  questions: { readonly open: Set<Promise<Json>>; readonly over: AbortController } | undefined

  constructor(surroundings: ToolSurroundings, deadline: Deadline) {
    this.#surroundings = surroundings
    this.#deadline = deadline
  }

  get key(): string {
    return this.#surroundings.key
  }
  get signal(): AbortSignal {
    return this.#deadline.signal
  }
  get at(): number {
    return this.#surroundings.at
  }
  get timeZone(): string {
    return this.#surroundings.timeZone
  }
  get artifacts(): ArtifactStore {
    this.kept ??= []
    return recording(this.#surroundings.artifacts, this.kept)
  }
  // Arrow functions, so that a tool can destructure them.
  get progress(): ToolContext['progress'] {
    return (data) => {
      if (this.stage === 'running') this.#surroundings.progress(data)
    }
  }
  get ask(): ToolContext['ask'] {
    const { ask } = this.#surroundings
    return (
      ask &&
      ((question, schema) =>
        this.stage === 'running'
          ? this.#asked((over) => ask(question, schema, over))
          : Promise.resolve(null))
    )
  }
  get worksFor(): ToolContext['worksFor'] {
    return this.#surroundings.worksFor
  }
  get traceparent(): string | undefined {
    return this.#surroundings.traceparent
  }
  get child(): NonNullable<ToolContext['child']> {
    const { child } = this.#surroundings
    if (child === undefined) throw new ToolError('TOOL_ERROR', 'the tool does not delegate')
    return child
  }

  #asked(ask: (over: AbortSignal) => Promise<Json>): Promise<Json> {
    this.questions ??= { open: new Set(), over: new AbortController() }
    const { open, over } = this.questions
    const asking = this.#deadline.untimed(ask(over.signal)).finally(() => open.delete(asking))
    open.add(asking)
    return asking
  }
}

const NO_TOOL_FAILED: ReadonlySet<ErrorCode> = new Set(['UNRECORDED_CALL', 'RUN_SUSPENDED'])

function recording(store: ArtifactStore, kept: Artifact[]): ArtifactStore {
  return {
    async write(name, content) {
      const artifact = await store.write(name, content)
      kept.push(artifact)
      return artifact
    },
  }
}

const failure = (code: ToolError['code'], message: string, fault?: ToolFault): ToolOutcome => ({
  type: 'error',
  code,
  message,
  ...(fault === undefined ? {} : { fault }),
})

function thrown(tool: Tool, error: unknown): ToolOutcome {
  if (error instanceof ToolError) {
    const { code, message, mayHaveActed, fault } = error
    return mayHaveActed && tool.does === 'acts'
      ? { type: 'unknown', message }
      : failure(code, message, fault)
  }
  const isMissing = error instanceof EchelonError && error.code === 'MISSING_PACKAGE'
  return failure('TOOL_ERROR', messageOf(error), isMissing ? 'setup' : undefined)
}

/** Returns the outcome of an aborted call; `unknown` for an acting tool that was started. */
function abortedOutcome(tool: Tool, cause: Cause, stage: Stage): ToolOutcome {
  if (tool.does === 'acts' && stage !== 'checking') {
    return {
      type: 'unknown',
      message: `${tool.name} was given up (${WHY[cause]}) and may have acted`,
    }
  }
  if (cause === 'seconds') return { type: 'refused', limit: 'seconds' }
  if (cause === 'canceled') return failure('TOOL_ERROR', `${tool.name} was canceled`)
  return failure('NET_TIMEOUT', `${tool.name} took longer than ${tool.timeoutMs / 1000} s`)
}

const WHY: Readonly<Record<Cause, string>> = {
  canceled: 'the run was canceled',
  seconds: 'the time limit of the run was reached',
  timeout: 'it took too long',
}
