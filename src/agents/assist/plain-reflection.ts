import type { Reflect } from './executor.ts'

/** A question about one north star, another one each turn: all that can be said without a model. */
export const reflectPlainly: Reflect = (_input, { north_stars }, { altitude }, conversation) => {
  const turn = conversation.filter(({ role }) => role === 'assistant').length
  const star = north_stars[turn % Math.max(1, north_stars.length)]?.replaceAll('_', ' ')
  const about = star === undefined ? 'what you want' : `“${star}”`
  return altitude === 'L1' || altitude === 'L2'
    ? `Before any step: what would it do for ${about}, and what is the smallest one that would?`
    : `What does this mean for ${about}, and what would you give up for it?`
}
