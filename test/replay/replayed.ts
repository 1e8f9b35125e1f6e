import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { type AgentOptions, type ChatEnd, createAgent } from 'echelon/chat'
import { recordRun, replayRecording, type RunReplay } from 'echelon/replay'
import type { Json, RunEvent } from 'echelon/runtime'

/** A folder that is deleted after the test. */
export function folderFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'echelon-replay-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The result of a run, and its events. */
export interface Ran {
  readonly end: ChatEnd<unknown>
  readonly events: readonly RunEvent[]
}

/** A caller's action at an event. */
export type Caller = (event: RunEvent, run: Steered) => void

interface Steered {
  readonly requests: readonly string[]
  respond(request: string, reply: Json): void
  hear(text: string): void
  cancel(): void
}

interface Taking {
  readonly said?: readonly string[]
  readonly caller?: Caller
}

/** Records a conversation, and replays it from the file with newly built agents. */
export async function recordAndReplay(
  file: string,
  options: () => AgentOptions,
  { said = ['Go.'], caller }: Taking = {},
): Promise<{
  readonly was: readonly Ran[]
  readonly is: readonly Ran[]
  readonly replay: RunReplay
}> {
  const recording = recordRun(file)
  const was = await converse(recording, options(), { said, ...(caller && { caller }) })
  assert.equal(recording.close(), undefined)
  const replay = await replayRecording(file)
  const is = await converse(replay, options(), { said })
  return { was, is, replay }
}

/** The turns of a conversation, one after the other. */
export async function converse(
  world: Pick<RunReplay, 'forAgent' | 'watch'>,
  options: AgentOptions,
  { said = ['Go.'], caller }: Taking,
): Promise<readonly Ran[]> {
  const agent = createAgent(world.forAgent(options))
  const session = agent.session()
  const all: Ran[] = []
  for (const text of said) {
    const run = world.watch(agent.run(text, { session }))
    const events: RunEvent[] = []
    for await (const event of run) {
      events.push(event)
      caller?.(event, run)
    }
    all.push({ end: await run.outcome, events })
  }
  return all
}

/** Compares results, events and journals. */
export function assertExact({
  was,
  is,
  replay,
}: Awaited<ReturnType<typeof recordAndReplay>>): void {
  assert.deepEqual(replay.likeness, { type: 'exact' })
  assert.equal(is.length, was.length)
  for (const [turn, ran] of was.entries()) {
    assert.equal(JSON.stringify(is[turn]?.end), JSON.stringify(ran.end))
    assert.deepEqual(is[turn]?.events.map(asText), ran.events.map(asText))
  }
}

/** The tool itself is not called again, so its error has another stack. */
const asText = (event: RunEvent): string =>
  JSON.stringify(event.type === 'tool-end' ? { ...event, error: undefined } : event)
