import type { Actors } from '../core/agent.ts'
import type { Ask, Effect, Recall, Remember, Say, SingleEffect, Sleep } from '../core/effect.ts'
import type { Direct, Failed, Observation } from '../core/observation.ts'
import { pause } from './deadline.ts'
import { callModel } from './model-call.ts'
import { callTools } from './tool-batch.ts'
import type { Tree } from './tree.ts'

/** Performs one effect. What goes wrong in the world is an observation; only a journal can throw. */
export async function perform(
  tree: Tree,
  actors: Actors,
  effect: Effect,
  seq: number,
): Promise<Observation> {
  if (effect.type !== 'together') return performOne(tree, actors, effect, seq)
  const observations = await Promise.all(
    effect.effects.map((one) => performOne(tree, actors, one, seq)),
  )
  return { type: 'together', observations }
}

function performOne(
  tree: Tree,
  actors: Actors,
  effect: SingleEffect,
  seq: number,
): Promise<Direct> {
  switch (effect.type) {
    case 'generate':
      return callModel(tree, effect, seq)
    case 'call-tools':
      return callTools(tree, effect, seq, actors[effect.actor]?.meters ?? 'tools')
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
  const request = tree.leftOpen(seq)?.request ?? `${tree.runId}:${seq}`
  const about = { question: effect.question, schema: effect.schema ?? null }
  if (tree.leftOpen(seq)?.request === undefined) {
    const at = tree.services.clock.now()
    tree.journal.push({ type: 'requested', path: '', seq, request, about, at })
  }
  await tree.journal.flush()
  const replied = tree.reply(request)
  if (tree.watched) tree.emit({ type: 'request-open', path: '', seq, request, about })
  const over = new AbortController()
  const given = AbortSignal.any([tree.cancelSignal, over.signal])
  const answered = replied.then((reply): Direct => ({ type: 'answered', reply }))
  const expired = pause(tree.services.clock, effect.expiresInMs ?? Infinity, given)
  const seen = await Promise.race([answered, expired.then((): Direct => ({ type: 'unanswered' }))])
  over.abort()
  tree.closeRequest(request)
  return seen
}

/** On record first, then shown: a client that comes back resumes by sequence number. */
async function say(tree: Tree, effect: Say, seq: number): Promise<Direct> {
  await tree.journal.flush()
  if (tree.watched) tree.emit({ type: 'said', path: '', seq, text: effect.text })
  return { type: 'said' }
}

async function recall(tree: Tree, effect: Recall): Promise<Direct> {
  const { memory } = tree.services
  if (memory === undefined) return noMemory(effect.memory)
  await tree.journal.flush()
  try {
    return { type: 'recalled', ...(await memory.read(effect.memory, effect.query ?? null)) }
  } catch (error) {
    return memoryFailed(error)
  }
}

async function remember(tree: Tree, effect: Remember, seq: number): Promise<Direct> {
  const { memory } = tree.services
  if (memory === undefined) return noMemory(effect.memory)
  await tree.journal.flush()
  try {
    const version = await memory.write(effect.memory, effect.value, {
      key: `${tree.runId}:${seq}`,
      ...(effect.ifVersion === undefined ? {} : { ifVersion: effect.ifVersion }),
    })
    if (version !== 'conflict') return { type: 'remembered', version }
    return fail('conflict', `${effect.memory} was written by somebody else since it was read`)
  } catch (error) {
    return memoryFailed(error)
  }
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

const noMemory = (name: string): Failed => fail('not-found', `there is no memory ${name}`)

const memoryFailed = (error: unknown): Failed =>
  fail('unavailable', error instanceof Error ? error.message : String(error))
