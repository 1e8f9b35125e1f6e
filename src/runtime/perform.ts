import type { Actors } from '../core/agent.ts'
import type { Ask, Effect, Recall, Remember, Say, SingleEffect, Sleep } from '../core/effect.ts'
import type { Direct, Failed, Observation } from '../core/observation.ts'
import type { MemoryStore } from '../core/ports.ts'
import { type Cause, orAborted, pause, startDeadline } from './deadline.ts'
import { callModel } from './model-call.ts'
import { type BatchPlace, callTools } from './tool-batch.ts'
import type { Tree } from './tree.ts'

/** Performs one effect. What goes wrong in the world is an observation; only a journal can throw. */
export async function perform(
  tree: Tree,
  actors: Actors,
  effect: Effect,
  seq: number,
): Promise<Observation> {
  if (effect.type !== 'together') return performOne(tree, actors, effect, { seq, firstCall: 0 })
  let firstCall = 0
  const performing = effect.effects.map((one) => {
    const place = { seq, firstCall }
    if (one.type === 'call-tools') firstCall += one.calls.length
    return performOne(tree, actors, one, place)
  })
  return { type: 'together', observations: await Promise.all(performing) }
}

function performOne(
  tree: Tree,
  actors: Actors,
  effect: SingleEffect,
  place: BatchPlace,
): Promise<Direct> {
  const { seq } = place
  switch (effect.type) {
    case 'generate':
      return callModel(tree, effect, seq)
    case 'call-tools':
      return callTools(tree, effect, place, actors[effect.actor]?.meters ?? 'tools')
    case 'ask':
      return ask(tree, effect, seq)
    case 'say':
      return say(tree, effect, seq)
    case 'recall':
      return recall(tree, effect)
    case 'remember':
      return remember(tree, effect, seq)
    case 'sleep':
      return sleep(tree, effect)
  }
}

/** Waits for the reply, for the question's end, or for a cancel, which the loop then tells. */
async function ask(tree: Tree, effect: Ask, seq: number): Promise<Direct> {
  const { clock } = tree.services
  const open = tree.leftOpen(seq)?.request
  const { id: request, at } = open ?? { id: `${tree.runId}:${seq}`, at: clock.now() }
  const about = { question: effect.question, schema: effect.schema ?? null }
  if (open === undefined) {
    tree.journal.push({ type: 'requested', path: '', seq, request, about, at })
  }
  await tree.journal.flush()
  const replied = tree.reply(request)
  if (tree.audience.hears('request-open'))
    tree.audience.tell({ type: 'request-open', path: '', seq, request, about })
  const over = new AbortController()
  const given = AbortSignal.any([tree.cancelSignal, over.signal])
  const answered = replied.then((reply): Direct => ({ type: 'answered', reply }))
  // From when it was asked, though another process may have asked it.
  const leftMs = Math.max(0, at + (effect.expiresInMs ?? Infinity) - clock.now())
  const expired = pause(clock, leftMs, given)
  const seen = await Promise.race([answered, expired.then((): Direct => ({ type: 'unanswered' }))])
  over.abort()
  tree.closeRequest(request)
  return seen
}

/** On record first, then shown: a client that comes back resumes by sequence number. */
async function say(tree: Tree, effect: Say, seq: number): Promise<Direct> {
  await tree.journal.flush()
  if (tree.audience.hears('said'))
    tree.audience.tell({ type: 'said', path: '', seq, text: effect.text })
  return { type: 'said' }
}

function recall(tree: Tree, effect: Recall): Promise<Direct> {
  return withMemory(tree, effect.memory, async (memory) => {
    return { type: 'recalled', ...(await memory.read(effect.memory, effect.query ?? null)) }
  })
}

function remember(tree: Tree, effect: Remember, seq: number): Promise<Direct> {
  return withMemory(tree, effect.memory, async (memory) => {
    const version = await memory.write(effect.memory, effect.value, {
      key: `${tree.runId}:${seq}`,
      ...(effect.ifVersion === undefined ? {} : { ifVersion: effect.ifVersion }),
    })
    if (version !== 'conflict') return { type: 'remembered', version }
    return fail('conflict', `${effect.memory} was written by somebody else since it was read`)
  })
}

/** A memory that does not answer holds up neither a cancel nor the end of the run's time. */
async function withMemory(
  tree: Tree,
  name: string,
  use: (memory: MemoryStore) => Promise<Direct>,
): Promise<Direct> {
  const { memory, clock } = tree.services
  if (memory === undefined) return fail('not-found', `there is no memory ${name}`)
  await tree.journal.flush()
  const deadline = startDeadline({ clock, cancel: tree.cancelSignal, runMs: tree.msLeft })
  try {
    deadline.signal.throwIfAborted()
    return await orAborted(use(memory), deadline.signal)
  } catch (error) {
    return memoryFailed(error, deadline.cause())
  } finally {
    deadline.release()
  }
}

function memoryFailed(error: unknown, cause: Cause | undefined): Direct {
  if (cause === 'canceled') return fail('aborted', 'the run was canceled')
  if (cause === 'seconds') {
    const message = 'the time of the run was over'
    return { type: 'refused', by: 'budget', limit: 'seconds', message }
  }
  return fail('unavailable', error instanceof Error ? error.message : String(error))
}

async function sleep(tree: Tree, effect: Sleep): Promise<Direct> {
  const { clock } = tree.services
  await tree.journal.flush()
  await pause(clock, Math.max(0, effect.untilMs - clock.now()), tree.cancelSignal)
  return { type: 'woke' }
}

const fail = (code: Failed['error']['code'], message: string): Failed => ({
  type: 'failed',
  error: { code, message, retryable: false, attempts: 1 },
})
