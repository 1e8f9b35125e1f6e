import assert from 'node:assert/strict'
import type { Attempt } from '../../verify/answer.ts'
import type {
  Judgment,
  Observed,
  Request,
  Verifier,
  VerifierEffect,
} from '../../verify/verifier.ts'
import { casesOf, type ContractCase, frozen } from '../contract.ts'
import { ODD_TEXTS, oddAttempts, withText } from '../verifier/odd-attempts.ts'

/** An attempt to try a verifier with, and what comes of the effects that it asks for. */
export interface VerifierTrial {
  /** An attempt that it has something to say about. */
  readonly attempt: Attempt
  /** Returns the observation of an effect; `at` counts from 0. Required if the verifier asks for effects. */
  readonly answer?: (effect: VerifierEffect, at: number) => Observed
  /** Maximum number of requests; default 0, for a verifier that asks for nothing. */
  readonly rounds?: number
  /** Values that the reason must not contain, since the next model would copy them. */
  readonly hides?: readonly string[]
}

/**
 * Contract suite for a `Verifier`: `for (const { name, holds } of verifierContract(open)) test(name, holds)`.
 * @param open a new verifier for each case, made the same way, with what to try it with
 */
export function verifierContract(open: () => Opened): readonly ContractCase[] {
  const caseOf = casesOf(open)
  // Five cases look at the same judgments, which take a second for some verifiers.
  let judged: readonly End[] | undefined
  const onAll = (
    name: string,
    holds: (ends: readonly End[], opened: Opened) => void,
  ): ContractCase =>
    caseOf(name, (opened) => {
      judged ??= [...oddAttempts(opened.trial.attempt)].map((one) => ended(opened, one))
      holds(judged, opened)
    })
  return [
    caseOf('its features have its name, and are listed once', ({ verifier }) => {
      const { name, features } = verifier
      assert.match(name, /\S/)
      assert.equal(new Set(features).size, features.length, 'a feature is listed twice')
      for (const feature of features) {
        assert.ok(feature.startsWith(`${name}.`), `${feature} does not start with ${name}.`)
      }
    }),
    caseOf('it judges the same again, changes nothing and keeps nothing', (opened) => {
      const attempt = frozen(opened.trial.attempt)
      const first = ended(opened, attempt)
      for (const odd of ODD_TEXTS.slice(0, 5)) ended(opened, withText(attempt, odd))
      assert.deepEqual(ended(opened, attempt), first, 'another attempt in between changed it')
      assert.deepEqual(ended(open(), attempt), first, 'a new verifier judges otherwise')
    }),
    onAll('no text makes it throw or keeps it busy', (ends) => {
      for (const { ms, what } of ends) {
        assert.ok(ms < BUSY_MS, `${what} takes ${Math.round(ms)} ms`)
      }
    }),
    onAll('its judgments have the features that it lists, all finite', (ends, { verifier }) => {
      for (const end of ends) assertFeatures(end, verifier.features)
    }),
    onAll('its score fits its verdict', (ends) => ends.forEach(assertScore)),
    onAll('it asks for one effect at least, and no more often than it may', (ends, { trial }) => {
      for (const { rounds, what } of ends) {
        assert.ok(rounds <= (trial.rounds ?? 0), `it asks ${rounds} times for ${what}`)
      }
    }),
    caseOf('effects that fail leave it silent or scored', assertFailures),
    onAll('its reason is one clause, without the values that it must hide', (ends, opened) => {
      for (const { judgment, what } of ends) {
        const { reason } = judgment
        assert.ok(reason.trim() !== '' && reason.length <= LONGEST_REASON, `its reason for ${what}`)
        assert.doesNotMatch(reason, /[\p{Cc}\u2028\u2029]/u)
      }
      const { reason } = ended(opened, opened.trial.attempt).judgment
      for (const value of opened.trial.hides ?? []) {
        assert.ok(!reason.includes(value), `its reason holds ${value}`)
      }
    }),
  ]
}

/** A verifier, and what to try it with. */
interface Opened {
  readonly verifier: Verifier
  readonly trial: VerifierTrial
}

function assertFeatures({ judgment, what }: End, listed: readonly string[]): void {
  const { features, verdict } = judgment
  const names = Object.keys(features)
  for (const name of names) {
    assert.ok(listed.includes(name), `${name} is not listed`)
    assert.ok(Number.isFinite(features[name]), `${name} is ${features[name]} for ${what}`)
  }
  // A verdict that settles the matter needs no evidence for a fitted score.
  if (verdict === 'proved' || verdict === 'refuted') return
  for (const name of listed) assert.ok(names.includes(name), `${name} is missing for ${what}`)
}

function assertScore({ judgment, what }: End): void {
  const { verdict, score } = judgment
  const fits = {
    proved: score === 1,
    refuted: score === 0,
    silent: score === 0.5,
    scored: score >= 0 && score <= 1,
  }
  assert.ok(fits[verdict], `${verdict} with ${score} for ${what}`)
}

function assertFailures({ verifier, trial }: Opened): void {
  for (const failure of FAILURES) {
    const failing = { verifier, trial: { ...trial, answer: () => failure } }
    const { judgment, rounds } = ended(failing, trial.attempt)
    if (rounds === 0) continue
    assert.ok(
      judgment.verdict === 'silent' || judgment.verdict === 'scored',
      `${judgment.verdict} after an effect that was ${failure.type}`,
    )
  }
}

/** Under load a test's process may stand still for a second. */
const BUSY_MS = 5_000
const LONGEST_REASON = 1_000
/** A verifier that asks on and on is stopped here. */
const MOST_ROUNDS = 100

interface End {
  readonly judgment: Judgment
  readonly rounds: number
  readonly ms: number
  readonly what: string
}

/** Judges an attempt to its end. */
function ended({ verifier, trial }: Opened, attempt: Attempt): End {
  const observed: Observed[] = []
  const began = performance.now()
  const what = shortened(attempt)
  let rounds = 0
  for (;;) {
    const answer = answerOf(verifier, attempt, observed, what)
    if (answer.verdict !== 'ask') {
      const ms = performance.now() - began
      // Equal ends take unequal times, which a comparison must not see.
      const end = { judgment: answer, rounds, what, ms }
      return Object.defineProperty(end, 'ms', { enumerable: false })
    }
    assert.ok(answer.effects.length > 0, `it asks for nothing for ${what}`)
    rounds++
    assert.ok(rounds <= MOST_ROUNDS, `it asks on and on for ${what}`)
    for (const effect of answer.effects) {
      observed.push(trial.answer?.(effect, observed.length) ?? FAILED)
    }
  }
}

function answerOf(
  verifier: Verifier,
  attempt: Attempt,
  observed: readonly Observed[],
  what: string,
): Judgment | Request {
  try {
    return verifier.verify(attempt, frozen([...observed]))
  } catch (cause) {
    throw new assert.AssertionError({ message: `it throws ${String(cause)} for ${what}` })
  }
}

const shortened = ({ answer }: Attempt): string => JSON.stringify(answer).slice(0, 80)

const FAILED: Observed = {
  type: 'failed',
  error: { code: 'unavailable', message: 'the service is down', retryable: true, attempts: 1 },
}
const FAILURES: readonly Observed[] = [
  FAILED,
  { type: 'refused', by: 'budget', limit: 'cost', message: 'the budget is used up' },
]
