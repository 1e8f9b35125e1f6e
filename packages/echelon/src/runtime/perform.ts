import type { Actors } from '../core/agent/agent.ts'
import type {
  Ask,
  Effect,
  Recall,
  Remember,
  Say,
  SingleEffect,
  Sleep,
} from '../core/agent/effect.ts'
import { EchelonError } from '../core/value/error.ts'
import type { Direct, Failed, Observation } from '../core/agent/observation.ts'
import type { MemoryStore } from '../core/agent/ports.ts'
import type { Branch } from './branch.ts'
import { type Cause, Deadline } from './model/deadline.ts'
import { callModel } from './model/model-call.ts'
import { request, waited } from './people/request.ts'
import { permitAhead } from './people/permit.ts'
import { type BatchPlace, callTools } from './tools/tool-batch.ts'
import type { Tree } from './tree.ts'

/** Performs one effect. External failures become observations; only a journal error is thrown. */
export function perform(
  branch: Branch,
  actors: Actors,
  effect: Effect,
  seq: number,
): Observation | Promise<Observation> {
  if (effect.type !== 'together') return performOne(branch, actors, effect, { seq, firstCall: 0 })
  let firstCall = 0
  const performing = effect.effects.map((one) => {
    const place = { seq, firstCall }
    if (one.type === 'call-tools') firstCall += one.calls.length
    return performOne(branch, actors, one, place)
  })
  return together(performing)
}

async function together(performing: readonly Promise<Direct>[]): Promise<Observation> {
  return { type: 'together', observations: await Promise.all(performing) }
}

function performOne(
  branch: Branch,
  actors: Actors,
  effect: SingleEffect,
  place: BatchPlace,
): Promise<Direct> {
  const { seq } = place
  switch (effect.type) {
    case 'generate':
      return callModel(branch, effect, seq)
    case 'call-tools':
      return callTools(branch, effect, place, actors[effect.actor]?.meters ?? 'tools')
    case 'permit':
      return permitAhead(branch, effect.call)
    case 'ask':
      return ask(branch, effect, seq)
    case 'say':
      return say(branch, effect, seq)
    case 'recall':
      return recall(branch, effect)
    case 'remember':
      return remember(branch, effect, seq)
    case 'sleep':
      return sleep(branch.tree, effect)
  }
}

/** Waits for the reply, the question's expiry or a cancel, which the loop then reports. */
async function ask(branch: Branch, effect: Ask, seq: number): Promise<Direct> {
  const { tree, path } = branch
  const about = { question: effect.question, schema: effect.schema ?? null }
  const open = branch.leftOpen(seq)?.requests.get(undefined)
  const id = open?.id ?? `${tree.runId}:${path}${seq}`
  const seen = await request(branch, {
    id,
    seq,
    about,
    // A resumed question keeps the time at which another process asked it.
    askedAt: open?.at,
    expiresInMs: effect.expiresInMs ?? Infinity,
  })
  return seen === undefined ? { type: 'unanswered' } : { type: 'answered', reply: seen.reply }
}

/** Journals the text before showing it: a client that reconnects resumes by sequence number. */
async function say({ tree, path }: Branch, effect: Say, seq: number): Promise<Direct> {
  await tree.journal.flush()
  if (tree.audience.hears('said'))
    tree.audience.tell({ type: 'said', path, seq, text: effect.text })
  return { type: 'said' }
}

function recall(branch: Branch, effect: Recall): Promise<Direct> {
  return withMemory(branch, effect.memory, async (memory) => {
    const { value, version } = await memory.read(effect.memory, effect.query ?? null)
    return { type: 'recalled', value, version }
  })
}

function remember(branch: Branch, effect: Remember, seq: number): Promise<Direct> {
  const { tree, path } = branch
  return withMemory(branch, effect.memory, async (memory) => {
    const version = await memory.write(effect.memory, effect.value, {
      key: `${tree.runId}:${path}${seq}`,
      ...(effect.ifVersion === undefined ? {} : { ifVersion: effect.ifVersion }),
    })
    if (version !== 'conflict') return { type: 'remembered', version }
    return fail('conflict', `${effect.memory} was changed since it was read`)
  })
}

/** Uses a memory. One that does not respond delays neither a cancel nor the run's time limit. */
async function withMemory(
  { tree, services }: Branch,
  name: string,
  use: (memory: MemoryStore) => Promise<Direct>,
): Promise<Direct> {
  const { memory } = services
  if (memory === undefined) return fail('not-found', `there is no memory ${name}`)
  await tree.journal.flush()
  const deadline = new Deadline(tree, Infinity)
  tree.beginWork()
  try {
    if (deadline.cause !== undefined) return memoryFailed(undefined, deadline.cause)
    return await deadline.race(use(memory))
  } catch (error) {
    // Not a memory failure: a replay diverged from its recording.
    if (error instanceof EchelonError && error.code === 'UNRECORDED_CALL') throw error
    return memoryFailed(error, deadline.cause)
  } finally {
    tree.endWork()
    deadline.release()
  }
}

function memoryFailed(error: unknown, cause: Cause | undefined): Direct {
  if (cause === 'canceled') return fail('aborted', 'the run was canceled')
  if (cause === 'seconds') {
    const message = 'the time limit of the run was reached'
    return { type: 'refused', by: 'budget', limit: 'seconds', message }
  }
  return fail('unavailable', error instanceof Error ? error.message : String(error))
}

async function sleep(tree: Tree, effect: Sleep): Promise<Direct> {
  tree.snapshots?.keep()
  await tree.journal.flush()
  // Treat an invalid time as past.
  await waited(tree, { until: Number.isNaN(effect.untilMs) ? 0 : effect.untilMs })
  return { type: 'woke' }
}

const fail = (code: Failed['error']['code'], message: string): Failed => ({
  type: 'failed',
  error: { code, message, retryable: false, attempts: 1 },
})
