import { equal, ok } from 'node:assert/strict'
import { suite, test } from 'node:test'
import * as fc from 'fast-check'
import { IS_WHOLE } from '../share.ts'
import { drawFrom } from './draw.ts'
import { HER_NAMES, HIS_NAMES } from './english.ts'
import { independentFacts } from './grammar/plain-stories.ts'
import { GRAMMARS } from './grammars.ts'
import type { Grammar, Item } from './item.ts'
import { acceptedBy, judge } from './judge.ts'
import { itemOf } from './tally.ts'

const RUNS = { numRuns: IS_WHOLE ? 300 : 50, seed: 15 }
const place = fc.nat({ max: 1_000_000 })

/** Kinds are listed by name, so that a counterexample is short. */
const kindsWhere = (holds: (grammar: Grammar) => boolean): readonly string[] =>
  GRAMMARS.filter(holds).map(({ kind }) => kind)
const byKind = new Map(GRAMMARS.map((grammar) => [grammar.kind, grammar]))

function made(kind: string, nth: number, numbers = 0): Item {
  const grammar = byKind.get(kind)
  if (grammar === undefined) throw new Error(`there is no kind ${kind}`)
  return itemOf(grammar, { seed: 7, nth, numbers })
}

const STORIES = [
  'price each',
  'have, get and lose',
  'groups',
  'rates',
  'facts in any order',
  'stories of the evaluation',
]
const DATES = [
  'weekdays and steps',
  'an event and its date',
  'from today',
  'days between',
  'holidays',
  'orders for a date',
]

/** The text with each name replaced by another of the same kind that does not occur in it. */
function renamed(text: string, shift: number): string {
  const taken = new Set(text.match(/\b[A-Z][a-z]+\b/g))
  return [HER_NAMES, HIS_NAMES].reduce((changed, names) => {
    const free = names.filter((name) => !taken.has(name))
    const present = names.filter((name) => taken.has(name))
    return present.reduce((all, name, at) => {
      const other = free[(shift + at) % free.length] ?? name
      return all.replaceAll(new RegExp(String.raw`\b${name}\b`, 'g'), other)
    }, changed)
  }, text)
}

suite('the verdict of a question stays of its kind', () => {
  test('[DD-8] when its persons are renamed', () => {
    const people = kindsWhere(({ kind }) => /^(?:prices|holdings|rates|stories|events)/.test(kind))
    let changed = 0
    fc.assert(
      fc.property(
        fc.constantFrom(...STORIES, ...people),
        place,
        fc.nat({ max: 30 }),
        (kind, nth, shift) => {
          const { text } = made(kind, nth)
          const other = renamed(text, shift)
          if (other !== text) changed++
          equal(acceptedBy(other).join(), acceptedBy(text).join(), `${text}\n${other}`)
        },
      ),
      RUNS,
    )
    ok(changed > RUNS.numRuns / 4, 'too few questions were changed')
  })

  for (const [name, kinds] of [
    ['a plain story', STORIES],
    ['a plain question for a date', DATES],
  ] as const) {
    test(`[DD-8] when other numbers stand in ${name}`, () => {
      let verified = 0
      fc.assert(
        fc.property(fc.constantFrom(...kinds), place, place, (kind, nth, numbers) => {
          const one = made(kind, nth)
          const other = made(kind, nth, numbers)
          const [was, is] = [judge(one), judge(other)]
          if (is.verdict === 'right') verified++
          equal(is.verdict, was.verdict, `${one.text}\n${other.text}`)
        }),
        RUNS,
      )
      ok(verified > RUNS.numRuns / 4, 'too few questions were verified')
    })
  }

  test('[DD-8] when independent facts are reordered', () => {
    let verified = 0
    fc.assert(
      fc.property(place, (nth) => {
        const { facts, question, value } = independentFacts(
          drawFrom({ wording: [nth], numbers: [nth, 1] }),
        )
        const orders = [facts, facts.toReversed(), [...facts.slice(1), ...facts.slice(0, 1)]]
        const verdicts = orders.map(
          (order) =>
            judge({ text: [...order, question].join(' '), reading: { type: 'value', value } })
              .verdict,
        )
        if (verdicts[0] === 'right') verified++
        equal(new Set(verdicts).size, 1, `${[...facts, question].join(' ')}: ${verdicts.join()}`)
        ok(verdicts[0] !== 'wrong')
      }),
      RUNS,
    )
    ok(verified > RUNS.numRuns / 4, 'too few questions were verified')
  })

  test('[DD-8] or is lost, never another answer, when white space is added', () => {
    const controls = kindsWhere(({ control }) => control === true)
    fc.assert(
      fc.property(fc.constantFrom(...controls), place, (kind, nth) => {
        const { text } = made(kind, nth)
        const accepted = acceptedBy(text).join()
        equal(acceptedBy(`  ${text} `).join(), accepted, text)
        ok(['', accepted].includes(acceptedBy(text.replaceAll(' ', '  ')).join()), text)
      }),
      RUNS,
    )
  })

  test('[DD-8] or is lost, never another answer, when something irrelevant or unclear is added', () => {
    const remarks = [
      'Then some of them were lost.',
      'But that was before the change.',
      'Not all of this is true.',
      'Something else happened as well.',
    ]
    fc.assert(
      fc.property(
        fc.constantFrom(...STORIES),
        place,
        fc.constantFrom(...remarks),
        (kind, nth, remark) => {
          const { text } = made(kind, nth)
          const end = text.lastIndexOf('. ')
          if (end < 0) return
          const other = `${text.slice(0, end + 1)} ${remark}${text.slice(end + 1)}`
          equal(acceptedBy(other).join(), '', other)
        },
      ),
      RUNS,
    )
  })
})
