import type { Json, JsonObject, RunEvent, RunEventView } from 'echelon/client'
import { isObject, sentence, textOf } from './fields.ts'
import { cascadeGate } from './gate.ts'
import type { Moment, MomentOf, OutcomeShown, Place } from './moment.ts'
import { momentOfNote, planIn, titleOfPlan } from './note.ts'

type Event<Type extends RunEvent['type']> = Extract<RunEvent, { readonly type: Type }>

type Generated = Extract<Event<'step-end'>['seen'], { readonly type: 'generated' }>

type Aside = 'said' | 'model-switch' | 'log' | 'schema-changed' | 'run-suspended' | 'run-end'

/** A call of a model. */
interface Asked {
  readonly place: Place
  readonly role: string
  readonly model: string
}

/**
 * Tells what happened in a run as moments that a person understands: what a model said, which tools it used,
 * what the verifier found, what the gate decided. Pure: the same events give the same story.
 */
export function storyOf(events: readonly RunEventView[]): readonly Moment[] {
  const story = new Story()
  for (const event of events) story.hear(event)
  return story.moments
}

class Story {
  readonly moments: Moment[] = []
  /** The place in `moments` of the step that is open, by its path and number. */
  readonly #steps = new Map<string, number>()
  readonly #requests = new Map<string, number>()
  /** The places of the model calls of a step. */
  readonly #calls = new Map<string, readonly number[]>()
  /** The model call that is open. */
  #asked: Asked | undefined
  /** The evidence of the last verifier. */
  #evidence: string | undefined
  /** The model whose turn it is. */
  #model: string | undefined

  hear({ id, at, event }: RunEventView): void {
    switch (event.type) {
      case 'step-start':
        return this.#begin(id, at, event)
      case 'step-end':
        return this.#end(at, event)
      case 'text-delta':
        return this.#onModel(event, (model) => ({ ...model, text: model.text + event.delta }))
      case 'text-drop':
        return this.#onModel(event, (model) => ({ ...model, text: '' }))
      case 'retry-wait':
        return this.#trouble(event, `Trying again: ${event.problem.message}`)
      case 'model-warning':
        return this.#trouble(event, event.message)
      case 'tool-start':
      case 'tool-end':
      case 'tool-progress':
        return this.#tool(at, event)
      case 'note':
        return this.#note(id, at, event)
      case 'request-open':
        return this.#ask(id, at, event)
      case 'request-close':
        return this.#reply(event)
      case 'middleware':
        return this.#middleware(id, at, event)
      case 'said':
      case 'model-switch':
      case 'log':
      case 'schema-changed':
      case 'run-suspended':
      case 'run-end':
        return this.#aside(id, at, event)
      case 'run-start':
      case 'output-partial':
        return undefined
    }
  }

  /** Events outside any call. */
  #aside(id: string, at: number, event: Event<Aside>): void {
    switch (event.type) {
      case 'said':
        return this.#add({
          type: 'said',
          key: id,
          at,
          place: event,
          title: 'Said to the user',
          tone: 'plain',
          model: undefined,
          text: event.text,
        })
      case 'model-switch':
        return this.#plainNote(id, at, `From here on ${event.role} is ${event.model}.`)
      case 'log':
        return this.#plainNote(id, at, sentence(event.message), {
          level: event.level,
          ...(event.detail !== undefined && { detail: event.detail }),
        })
      case 'schema-changed':
        return this.#plainNote(id, at, 'Continued by a newer version of the program.')
      case 'run-suspended':
        return this.#plainNote(
          id,
          at,
          'Paused: it continues when it is answered or its time comes.',
        )
      case 'run-end':
        return this.#add({
          type: 'end',
          key: id,
          at,
          place: undefined,
          title: event.status === 'canceled' ? 'Canceled.' : sentence(`Ended: ${event.reason}`),
          tone: 'plain',
          model: undefined,
          reason: event.reason,
        })
    }
  }

  #add(moment: Moment): void {
    this.moments.push(moment)
  }

  #plainNote(key: string, at: number, title: string, data: JsonObject = {}): void {
    const tone = data['level'] === 'error' ? 'bad' : 'plain'
    this.#add({ type: 'note', key, at, place: undefined, title, tone, model: undefined, data })
  }

  #begin(key: string, at: number, event: Event<'step-start'>): void {
    const { effect, actor, targets, role = '' } = event
    const place = placeOf(event)
    if (effect === 'generate') this.#askModel(key, at, { place, role, model: targets[0] ?? role })
    if (effect !== 'call-tools') return
    const isCheck = actor === 'verifier'
    this.#steps.set(keyOf(event), this.moments.length)
    this.#add({
      type: 'tools',
      key,
      at,
      place,
      title: isCheck ? 'Checks the answer on its own.' : `Uses ${listed(targets)}.`,
      tone: 'plain',
      model: this.#model,
      isCheck,
      calls: [],
    })
  }

  #askModel(key: string, at: number, { place, role, model }: Asked): void {
    this.#model = model
    const step = keyOf(place)
    this.#steps.set(step, this.moments.length)
    this.#calls.set(step, [...(this.#calls.get(step) ?? []), this.moments.length])
    this.#asked = { place, role, model }
    this.#add({
      type: 'model',
      key,
      at,
      place,
      title: `${model} is asked …`,
      tone: 'plain',
      model,
      role,
      text: '',
      usage: undefined,
      cost: undefined,
      ended: undefined,
      plan: undefined,
      troubles: [],
    })
  }

  #end(at: number, event: Event<'step-end'>): void {
    const { seen } = event
    if (seen.type === 'generated') {
      this.#model = seen.model
      this.#onModel(event, (model) => ({
        ...model,
        model: seen.model,
        text: seen.text,
        usage: seen.usage,
        cost: seen.cost,
        ended: at,
        plan: planIn(seen),
        title: titleOfPlan(seen),
      }))
      this.#took(event, seen)
    }
    if (seen.type === 'failed') this.#fail(at, event, `It failed: ${seen.error.message}`)
    if (seen.type === 'refused') this.#fail(at, event, `It was refused: ${seen.message}`)
  }

  /** Middleware may ask several models for one answer; each has its own share of what it took. */
  #took(place: Place, { took = [] }: Generated): void {
    const calls = this.#calls.get(keyOf(place)) ?? []
    if (calls.length !== took.length) return
    for (const [number, { usage, cost }] of took.entries()) {
      const index = calls[number] ?? -1
      const moment = this.moments[index]
      if (moment?.type === 'model') this.moments[index] = { ...moment, usage, cost }
    }
  }

  #fail(at: number, event: Place, title: string): void {
    const index = this.#steps.get(keyOf(event))
    const moment = index === undefined ? undefined : this.moments[index]
    if (index === undefined || moment === undefined) return this.#plainNote(keyOf(event), at, title)
    this.moments[index] = {
      ...moment,
      ...(moment.type === 'model' && { ended: at }),
      title: sentence(title),
      tone: 'bad',
    }
  }

  #onModel(place: Place, change: (moment: MomentOf<'model'>) => MomentOf<'model'>): void {
    const index = this.#steps.get(keyOf(place))
    const moment = index === undefined ? undefined : this.moments[index]
    if (index !== undefined && moment?.type === 'model') this.moments[index] = change(moment)
  }

  #trouble(place: Place, text: string): void {
    this.#onModel(place, (model) => ({ ...model, troubles: [...model.troubles, text] }))
  }

  #tool(at: number, event: Event<'tool-start' | 'tool-end' | 'tool-progress'>): void {
    const index = this.#steps.get(keyOf(event))
    const moment = index === undefined ? undefined : this.moments[index]
    if (index === undefined || moment?.type !== 'tools') return
    const { calls } = moment
    if (event.type === 'tool-start') {
      const { id, tool, input } = event.call
      const call = {
        id,
        tool,
        input,
        began: at,
        ended: undefined,
        outcome: undefined,
        progress: [],
      }
      this.moments[index] = { ...moment, calls: [...calls, call] }
      return
    }
    const of = event.type === 'tool-end' ? event.call.id : event.call
    this.moments[index] = {
      ...moment,
      calls: calls.map((call) => {
        if (call.id !== of) return call
        return event.type === 'tool-end'
          ? { ...call, ended: at, outcome: outcomeOf(event.outcome) }
          : { ...call, progress: [...call.progress, event.data] }
      }),
    }
  }

  #note(key: string, at: number, event: Event<'note'>): void {
    const moment = momentOfNote(event, {
      key,
      at,
      place: placeOf(event),
      model: this.#model,
      evidence: this.#evidence,
    })
    if (moment === undefined) return
    if (moment.type === 'verdict') this.#evidence = moment.evidence
    if (moment.type === 'promotion') this.#evidence = undefined
    this.#add(moment)
  }

  #ask(key: string, at: number, event: Event<'request-open'>): void {
    // A run that is resumed asks again.
    if (this.#requests.has(event.request)) return
    this.#requests.set(event.request, this.moments.length)
    this.#add({
      type: 'person',
      key,
      at,
      place: placeOf(event),
      title: 'Waits for a person.',
      tone: 'person',
      model: undefined,
      request: event.request,
      about: event.about,
      reply: undefined,
    })
  }

  #reply({ request, reply }: Event<'request-close'>): void {
    const index = this.#requests.get(request)
    const moment = index === undefined ? undefined : this.moments[index]
    if (index === undefined || moment?.type !== 'person') return
    const title = reply === null ? 'Nobody answered.' : 'A person answered.'
    this.moments[index] = { ...moment, reply, title }
  }

  #middleware(key: string, at: number, { middleware, event, data }: Event<'middleware'>): void {
    const told = isObject(data) ? data : {}
    if (middleware === 'cascade' && (event === 'promoted' || event === 'answered')) {
      if (event === 'promoted') this.#draft(at, textOf(told, 'from'))
      const gate = cascadeGate(event, told)
      const model = textOf(told, event === 'promoted' ? 'from' : 'model')
      const isBacked = ['proved', 'supported'].includes(textOf(told, 'status') ?? '')
      const tone = event === 'promoted' ? 'up' : isBacked ? 'good' : 'plain'
      const common = { at, place: undefined, model }
      this.#add({ ...common, ...gate, type: 'gate', key, tone })
      if (event === 'promoted') this.#promote(key, at, told)
      return
    }
    this.#plainNote(key, at, `${middleware}: ${event.replaceAll('-', ' ')}`, told)
  }

  /** The open call gave an answer that is not shown, since it is not accepted. */
  #draft(at: number, model: string | undefined): void {
    if (this.#asked === undefined) return
    this.#onModel(this.#asked.place, (moment) => ({
      ...moment,
      model: model ?? moment.model,
      ended: at,
      title: `${model ?? moment.model} gives a draft, which is not shown.`,
    }))
  }

  #promote(key: string, at: number, told: JsonObject): void {
    const to = textOf(told, 'to') ?? 'the next model'
    const from = textOf(told, 'from')
    this.#model = to
    this.#add({
      type: 'promotion',
      key: `${key}:up`,
      at,
      place: undefined,
      title: `The task goes from ${from ?? 'the model'} to ${to}.`,
      tone: 'up',
      model: to,
      from,
      to,
      told: textOf(told, 'told'),
      isInPrompt: false,
    })
    if (this.#asked !== undefined) {
      this.#askModel(`${key}:call`, at, { ...this.#asked, model: to })
    }
  }
}

const keyOf = ({ path, seq }: Place): string => `${path}#${seq}`
const placeOf = ({ path, seq }: Place): Place => ({ path, seq })

const listed = (names: readonly string[]): string => {
  const each = [...new Set(names)]
  if (each.length === 0) return 'tools'
  return each.length < 3 ? each.join(' and ') : `${each.slice(0, 2).join(', ')} and more`
}

function outcomeOf(outcome: Event<'tool-end'>['outcome']): OutcomeShown {
  const { type } = outcome
  const value: Json =
    type === 'ok'
      ? outcome.value
      : type === 'denied'
        ? outcome.reason
        : type === 'refused'
          ? (outcome.reason ?? `the limit of ${outcome.limit} is reached`)
          : outcome.message
  return { type, value }
}
