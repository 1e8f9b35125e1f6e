import type { Actor, Actors } from './agent.ts'
import type {
  Ask,
  CallTools,
  Effect,
  Generate,
  Permit,
  Recall,
  Remember,
  Say,
  SingleEffect,
  Sleep,
} from './effect.ts'

/** Returns the capability that an effect lacks, such as `tool:rm` or `speak`; else `undefined`. */
export function overstep(actors: Actors, effect: Effect): string | undefined {
  if (effect.type !== 'together') return overstepOne(actors, effect)
  for (const one of effect.effects) {
    const found = overstepOne(actors, one)
    if (found !== undefined) return found
  }
  return undefined
}

function overstepOne(actors: Actors, effect: SingleEffect): string | undefined {
  const actor = Object.hasOwn(actors, effect.actor) ? actors[effect.actor] : undefined
  if (actor === undefined) return `actor:${effect.actor}`
  switch (effect.type) {
    case 'generate':
      return overstepGenerate(actor, effect)
    case 'call-tools':
      return forbiddenTool(
        actor,
        effect.calls.map((call) => call.tool),
      )
    case 'permit':
      return forbiddenTool(actor, [effect.call.tool])
    case 'ask':
      return actor.asks === true ? undefined : 'ask'
    case 'say':
      return actor.speaks === true ? undefined : 'speak'
    case 'recall':
      return actor.reads?.includes(effect.memory) === true ? undefined : `read:${effect.memory}`
    case 'remember':
      return actor.writes?.includes(effect.memory) === true ? undefined : `write:${effect.memory}`
    case 'sleep':
      return undefined
  }
}

function overstepGenerate(actor: Actor, effect: Generate): string | undefined {
  if (actor.roles?.includes(effect.role) !== true) return `role:${effect.role}`
  if (effect.show === 'user' && actor.speaks !== true) return 'speak'
  return forbiddenTool(actor, effect.tools ?? [])
}

function forbiddenTool(actor: Actor, tools: readonly string[]): string | undefined {
  const forbidden = tools.find((tool) => actor.tools?.includes(tool) !== true)
  return forbidden === undefined ? undefined : `tool:${forbidden}`
}

/** The effects that a set of actors may ask for. Any other effect does not compile. */
export type EffectOf<Set extends Actors> = {
  [Name in keyof Set & string]: EffectsOfActor<Set[Name], Name>
}[keyof Set & string]

type EffectsOfActor<One extends Actor, Name extends string> =
  | (One extends { roles: readonly (infer Role extends string)[] }
      ? Generate & { readonly actor: Name; readonly role: Role } & ShownBy<One>
      : never)
  | (One extends { tools: readonly string[] }
      ? (CallTools | Permit) & { readonly actor: Name }
      : never)
  | (One extends { asks: true } ? Ask & { readonly actor: Name } : never)
  | (One extends { speaks: true } ? Say & { readonly actor: Name } : never)
  | (One extends { reads: readonly (infer Memory extends string)[] }
      ? Recall & { readonly actor: Name; readonly memory: Memory }
      : never)
  | (One extends { writes: readonly (infer Memory extends string)[] }
      ? Remember & { readonly actor: Name; readonly memory: Memory }
      : never)
  | (Sleep & { readonly actor: Name })

type ShownBy<One extends Actor> = One extends { speaks: true }
  ? unknown
  : { readonly show?: 'nobody' }
