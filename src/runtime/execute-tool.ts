import type { Artifact, ArtifactStore } from '../core/artifact.ts'
import { isJson, type Json } from '../core/json.ts'
import { validate } from '../core/schema.ts'
import { type Tool, type ToolContext, ToolError, type ToolOutcome } from '../core/tool.ts'
import type { Cause, Deadline } from './deadline.ts'

/** What an execution needs of its surroundings; `ToolContext` is made of it. */
export type ToolSurroundings = Omit<ToolContext, 'signal'>

/**
 * One execution of one tool: arguments validated, time limited, files recorded. Never throws: what
 * goes wrong is an outcome. The deadline is released when it is over.
 */
export async function executeTool(
  tool: Tool,
  input: Json,
  surroundings: ToolSurroundings,
  deadline: Deadline,
): Promise<ToolOutcome> {
  const execution = new Execution(surroundings, deadline)
  try {
    if (deadline.cause !== undefined) return givenUp(tool, deadline.cause, execution.stage)
    const checking = validate(tool.input, input)
    const checked = checking instanceof Promise ? await deadline.race(checking) : checking
    if (!checked.ok) return failure('INVALID_ARGS', checked.message)
    execution.stage = 'running'
    const running = tool.run(checked.value, execution)
    const value: unknown = running instanceof Promise ? await deadline.race(running) : running
    if (!isJson(value)) return failure('TOOL_ERROR', `${tool.name} returned what JSON cannot hold`)
    return execution.ok(value)
  } catch (error) {
    const { cause } = deadline
    return cause === undefined ? thrown(error) : givenUp(tool, cause, execution.stage)
  } finally {
    execution.stage = 'over'
    deadline.release()
  }
}

/** A tool that is left behind is heard no more. */
type Stage = 'checking' | 'running' | 'over'

/** What the tool is handed. Most tools use little of it, so that each part is made when asked for. */
class Execution implements ToolContext {
  stage: Stage = 'checking'
  readonly #surroundings: ToolSurroundings
  readonly #deadline: Deadline
  #kept: Artifact[] | undefined

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
    this.#kept ??= []
    return recording(this.#surroundings.artifacts, this.#kept)
  }
  // Functions that may be taken out of the context and called alone.
  get progress(): ToolContext['progress'] {
    return (data) => {
      if (this.stage === 'running') this.#surroundings.progress(data)
    }
  }
  get child(): NonNullable<ToolContext['child']> {
    const { child } = this.#surroundings
    if (child === undefined) throw new ToolError('TOOL_ERROR', 'the tool does not delegate')
    return child
  }

  ok(value: Json): ToolOutcome {
    const kept = this.#kept
    if (kept === undefined || kept.length === 0) return { type: 'ok', value }
    return { type: 'ok', value, artifacts: [...kept] }
  }
}

function recording(store: ArtifactStore, kept: Artifact[]): ArtifactStore {
  return {
    async write(name, content) {
      const artifact = await store.write(name, content)
      kept.push(artifact)
      return artifact
    },
  }
}

const failure = (code: ToolError['code'], message: string): ToolOutcome => ({
  type: 'error',
  code,
  message,
})

function thrown(error: unknown): ToolOutcome {
  if (error instanceof ToolError) return failure(error.code, error.message)
  return failure('TOOL_ERROR', error instanceof Error ? error.message : String(error))
}

/** What is known after giving up: of an acting tool that was begun, nothing. */
function givenUp(tool: Tool, cause: Cause, stage: Stage): ToolOutcome {
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
  seconds: 'the time of the run was over',
  timeout: 'it took too long',
}
