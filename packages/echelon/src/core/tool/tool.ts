import type { AgentDefinition } from '../agent/agent.ts'
import type { AgentServices } from '../agent/agent-services.ts'
import type { ArtifactStore } from './artifact.ts'
import { EchelonError } from '../value/error.ts'
import type { Json, JsonObject } from '../value/json.ts'
import type { BoundModel } from '../model/model.ts'
import { plainSchema } from '../schema/plain-schema.ts'
import { type Schema, toJsonSchema } from '../schema/schema.ts'
import {
  type Does,
  TOOL_ERRORS,
  type ToolCall,
  type ToolErrorCode,
  type ToolFacts,
  type ToolFault,
  type ToolOutcome,
} from './tool-call.ts'

export { TOOL_ERRORS }
export type { ToolCall, ToolErrorCode, ToolFault, ToolOutcome }

/** Thrown by a tool to fail with a code; anything else that it throws becomes `TOOL_ERROR`. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
  readonly code: ToolErrorCode
  /**
   * Whether what was asked may have been done all the same, as when an answer got lost. Of a tool that
   * `acts` the outcome is then `unknown` instead of an error, which reads as if it could be repeated.
   */
  readonly mayHaveActed: boolean
  /** What other arguments alone do not help against: an agent does not try again. */
  readonly fault: ToolFault | undefined
  /** @param more `mayHaveActed` is false by default, and nothing is known of a `fault` */
  constructor(
    code: ToolErrorCode,
    message: string,
    more: { readonly mayHaveActed?: boolean; readonly fault?: ToolFault | undefined } = {},
  ) {
    super(message)
    this.code = code
    this.mayHaveActed = more.mayHaveActed ?? false
    this.fault = more.fault
  }
}

/** What a tool may use. Nothing else of the world is handed to it. */
export interface ToolContext {
  /** Stable over retry and resume: run, path, step and call. */
  readonly key: string
  /** Aborts on cancel, on the tool's time limit and when the run's time ends. */
  readonly signal: AbortSignal
  /** The run's clock, milliseconds since the epoch. */
  readonly at: number
  /** IANA name; dates are read and printed in it. */
  readonly timeZone: string
  readonly artifacts: ArtifactStore
  /** Shown to whoever watches the run; not journalled. */
  progress(data: Json): void
  /**
   * Asks the user within the call, and waits: no time of the tool or of the run passes meanwhile. A
   * call that is repeated after a crash asks the same questions in the same order and has the replies
   * that were given. Outside of a run there is nobody to ask.
   * @param schema of the reply, as JSON Schema; without one any will do
   * @returns the reply; `null` when the run is canceled before somebody gives one
   */
  readonly ask?: ((question: string, schema?: JsonObject) => Promise<Json>) | undefined
  /** Whom the call works for; nothing outside of a run. */
  readonly worksFor?: WorksFor | undefined
  /** W3C `traceparent` of this call, to be handed on to what it calls; nothing where nobody traces. */
  readonly traceparent?: string | undefined
  /**
   * Runs another agent within this call, in the run's own tree: one budget, one journal, one cancel,
   * and what it asks is asked by the run. There for a tool that `delegates`, and for no other.
   */
  readonly child?:
    | (<Input extends Json, State, Result>(
        run: ChildRun<Input, State, Result>,
      ) => Promise<ChildEnd<Result>>)
    | undefined
}

/** Whom a run works for. */
export interface WorksFor {
  /** The name of the agent that calls. */
  readonly agent: string
  /** On whose behalf, in the words of whoever began the run. */
  readonly caller: string | undefined
  /** The conversation that the run is a turn of, or the one of the run that began it. */
  readonly session: string | undefined
}

/** An agent, and the task that it is given by another. */
export interface ChildRun<Input extends Json, State, Result> {
  readonly definition: AgentDefinition<Input, State, Result>
  readonly input: Input
  /** What is absent it has in common with its parent, except for middleware: that is its own alone. */
  readonly surroundings: ChildSurroundings
}

/** What a child has for itself. Limits, journal, clock, files and cancel are the run's. */
export interface ChildSurroundings extends AgentServices {
  readonly models?: RoleModels | RoleModelsOf
  readonly tools?: readonly Tool[]
}

type RoleModels = Readonly<Record<string, BoundModel>>

/**
 * The models of a child, loaded when it is to work.
 * @param recorded role to model id, as the journal has it; nothing for one that begins now
 */
type RoleModelsOf = (recorded: Readonly<Record<string, string>> | undefined) => Promise<RoleModels>

export interface ChildEnd<Result> {
  readonly status: 'finished' | 'canceled'
  readonly reason: string
  readonly result: Result
}

/**
 * A tool. `Tool` alone is one whose input type is of no concern to the holder: its schema stands
 * before `run`, so nothing reaches `run` that does not fit.
 */
export interface Tool<Input = unknown> extends ToolFacts {
  readonly input: Schema<Input>
  /** What it returns reaches agents in its JSON form: see `defineTool`. */
  run(input: Input, context: ToolContext): unknown
  /**
   * Asked after a crash: did the call with this key happen? Of one that `acts` always; of one that is
   * `idempotent` where it may not be made again, as when a rule forbids it by now.
   */
  reconcile?(key: string, input: Input): Promise<ToolOutcome | 'not-done' | 'unknown'>
}

export interface ToolSpec<Input> {
  readonly name: string
  readonly description: string
  readonly input: Schema<Input>
  /** Default `reads`. */
  readonly does?: Does
  /** Milliseconds; default 10,000. */
  readonly timeoutMs?: number
  /** Default 0. */
  readonly retries?: number
  /** Default true, but for a tool that acts. */
  readonly parallel?: boolean
  /** Default false. */
  readonly needsApproval?: boolean
  /** Default: what it gives is trusted. */
  readonly origin?: string
  /** Default false. */
  readonly delegates?: boolean
  /** Default false. */
  readonly mayAct?: boolean
  /** Returns anything, or a promise of it; `defineTool` says what becomes of it. */
  run(input: Input, context: ToolContext): unknown
  reconcile?(key: string, input: Input): Promise<ToolOutcome | 'not-done' | 'unknown'>
}

/** A tool whose input is described by a plain JSON Schema. */
export interface JsonSchemaToolSpec extends Omit<
  ToolSpec<JsonObject>,
  'input' | 'run' | 'reconcile'
> {
  /** JSON Schema of an object, draft 7 to 2020-12, with references to its own places. */
  readonly input: JsonObject
  run(input: JsonObject, context: ToolContext): unknown
  reconcile?(key: string, input: JsonObject): Promise<ToolOutcome | 'not-done' | 'unknown'>
}

const NAME = /^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/

/**
 * Makes a tool from a schema and a function.
 *
 * `input` is a Standard Schema that prints itself as JSON Schema (zod 4.2+, valibot with its converter,
 * arktype), which types the function's argument, or a plain JSON Schema of an object, whose argument is
 * a `JsonObject`. Both are checked before each call: what does not fit never reaches `run`.
 *
 * `run` may return anything. Agents, records and watchers get its JSON form: what `JSON.stringify`
 * makes of it, so that nothing becomes `null`, a `Date` its ISO text and an instance of a class its
 * fields. Where `JSON.stringify` would throw or say nothing, a `BigInt` becomes its digits as a string, a
 * `Map` an object (entries, if a key is no string), a `Set` or typed array an array, an `Error` its name and
 * message; what holds itself ends in `[circular]`. A call is never a failure because of what it
 * returned: to fail, throw.
 * @throws EchelonError INVALID_DEFINITION for a name, schema or number that cannot work
 */
export function defineTool<Input>(spec: ToolSpec<Input>): Tool<Input>
export function defineTool(spec: JsonSchemaToolSpec): Tool<JsonObject>
export function defineTool(spec: ToolSpec<unknown> | JsonSchemaToolSpec): Tool {
  return hasStandardSchema(spec)
    ? toolOf(spec)
    : toolOf({ ...spec, input: plainSchema(spec.name, spec.input) })
}

/** Some libraries make their schemas functions. */
const hasStandardSchema = (
  spec: ToolSpec<unknown> | JsonSchemaToolSpec,
): spec is ToolSpec<unknown> =>
  typeof spec.input === 'function' ||
  (Object(spec.input) === spec.input && '~standard' in spec.input)

function toolOf<Input>(spec: ToolSpec<Input>): Tool<Input> {
  if (!NAME.test(spec.name)) {
    throw new EchelonError(
      'INVALID_DEFINITION',
      `a tool cannot be called ${JSON.stringify(spec.name)}; use letters, digits, _ and -, at most 64`,
    )
  }
  const { timeoutMs = 10_000, retries = 0 } = spec
  if (!(timeoutMs > 0)) throw invalid(spec, `timeoutMs ${timeoutMs}; give milliseconds above 0`)
  if (!Number.isInteger(retries) || retries < 0) {
    throw invalid(spec, `retries ${retries}; give a whole number from 0 on`)
  }
  const { does = 'reads', needsApproval = false, delegates = false } = spec
  const { parallel = does !== 'acts' } = spec
  const jsonSchema = toJsonSchema(spec.input)
  const settled = { does, timeoutMs, retries, parallel, needsApproval, delegates, jsonSchema }
  return Object.freeze({ ...spec, ...settled })
}

const invalid = ({ name }: { readonly name: string }, what: string): EchelonError =>
  new EchelonError('INVALID_DEFINITION', `the tool ${name} has ${what}`)
