import type { Artifact, ArtifactStore } from '../core/artifact.ts'
import { isJson, type Json } from '../core/json.ts'
import { validate } from '../core/schema.ts'
import { type Tool, type ToolContext, ToolError, type ToolOutcome } from '../core/tool.ts'
import { type Cause, orAborted, startDeadline } from './deadline.ts'
import type { Clock } from '../core/ports.ts'

/** What an execution needs of its surroundings; `ToolContext` is made of it. */
export interface ToolSurroundings extends Omit<ToolContext, 'signal'> {
  readonly clock: Clock
  readonly cancel: AbortSignal
  /** What is left of the run's time, in milliseconds. */
  readonly runMs: number
}

/**
 * One execution of one tool: arguments validated, time limited, files recorded. Never throws: what
 * goes wrong is an outcome.
 */
export async function executeTool(
  tool: Tool,
  input: Json,
  surroundings: ToolSurroundings,
): Promise<ToolOutcome> {
  const deadline = startDeadline({ ...surroundings, timeoutMs: tool.timeoutMs })
  const kept: Artifact[] = []
  let stage: Stage = 'checking'
  try {
    const checked = await orAborted(validate(tool.input, input), deadline.signal)
    if (!checked.ok) return failure('INVALID_ARGS', checked.message)
    const context: ToolContext = {
      key: surroundings.key,
      at: surroundings.at,
      timeZone: surroundings.timeZone,
      signal: deadline.signal,
      artifacts: recording(surroundings.artifacts, kept),
      progress(data) {
        if (stage === 'running') surroundings.progress(data)
      },
    }
    stage = 'running'
    const running = Promise.resolve(tool.run(checked.value, context))
    const value: unknown = await orAborted(running, deadline.signal)
    if (!isJson(value)) return failure('TOOL_ERROR', `${tool.name} returned what JSON cannot hold`)
    return { type: 'ok', value, ...(kept.length > 0 ? { artifacts: [...kept] } : {}) }
  } catch (error) {
    const cause = deadline.cause()
    return cause === undefined ? thrown(error) : givenUp(tool, cause, stage)
  } finally {
    stage = 'over'
    deadline.release()
  }
}

/** A tool that is left behind is heard no more. */
type Stage = 'checking' | 'running' | 'over'

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
