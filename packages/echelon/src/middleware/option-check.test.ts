import assert from 'node:assert/strict'
import { test } from 'node:test'
import { abSplit } from './experiment/ab-split.ts'
import { caching } from './cache/caching.ts'
import { circuitBreaker } from './reliability/circuit-breaker.ts'
import { costTracking } from './cost-tracking.ts'
import { errorTracking } from './reliability/error-tracking.ts'
import { fallback } from './reliability/fallback.ts'
import { logging } from './logging.ts'
import { memoryCache } from './cache/memory-cache.ts'
import { parallel } from './experiment/parallel.ts'
import { permissions } from './permissions.ts'
import { piiRedaction } from './text/pii-redaction.ts'
import { providerBreaker } from './reliability/provider-breaker.ts'
import { providerChoice } from './reliability/provider-choice.ts'
import { providerHealth } from './reliability/provider-health.ts'
import { rateLimit } from './reliability/rate-limit.ts'
import { retry } from './reliability/retry.ts'
import { shadow } from './experiment/shadow.ts'
import { transformText } from './text/text-transform.ts'
import { timeout } from './reliability/timeout.ts'

/** Called without types, as from plain JavaScript. */
const calling =
  (make: unknown, ...args: readonly unknown[]) =>
  (): unknown => {
    assert.ok(typeof make === 'function')
    return Reflect.apply(make, undefined, args)
  }

const two = ['a/b', 'c/d']
const variants = [{ name: 'one' }, { name: 'two' }]
const log = { write: (): void => undefined }

const WRONG: readonly (readonly [string, () => unknown])[] = [
  [
    'costTracking: there is no option alert; did you mean alertAt?',
    calling(costTracking, { alert: 3 }),
  ],
  [
    'costTracking: per cannot be "week"; there are run, session, day, shared',
    calling(costTracking, { per: 'week' }),
  ],
  [
    'costTracking: alertAt cannot be -1; give a number above 0',
    calling(costTracking, { alertAt: -1 }),
  ],
  ['costTracking: null are not options; give an object', calling(costTracking, null)],
  [
    'piiRedaction: mode cannot be "hide"; there are mask, restore',
    calling(piiRedaction, { mode: 'hide' }),
  ],
  [
    'piiRedaction: direction cannot be "inn"; did you mean in?',
    calling(piiRedaction, { direction: 'inn' }),
  ],
  ['parallel: mode cannot be "x"; there are first, vote', calling(parallel, two, { mode: 'x' })],
  [
    'parallel: mode cannot be undefined; there are first, vote',
    calling(parallel, two, { quorum: 2 }),
  ],
  [
    'parallel of mode first: there is no option quorum; there are mode, good, afterMs',
    calling(parallel, two, { mode: 'first', quorum: 2 }),
  ],
  [
    'providerChoice: goal cannot be "cheap"; did you mean cheapest?',
    calling(providerChoice, { models: two, goal: 'cheap' }),
  ],
  [
    'providerChoice: goal: there is no option costs; did you mean cost?',
    calling(providerChoice, { models: two, goal: { costs: 1 } }),
  ],
  [
    'providerChoice: there is no option fallback; did you mean fallBack?',
    calling(providerChoice, { models: two, fallback: false }),
  ],
  [
    'rateLimit: by cannot be "models"; did you mean model?',
    calling(rateLimit, { requestsPerMinute: 1, by: 'models' }),
  ],
  [
    'rateLimit: models: there is no option requestPerMinute; did you mean requestsPerMinute?',
    calling(rateLimit, { models: { 'a/': { requestPerMinute: 1 } } }),
  ],
  ['providerHealth: by cannot be 3; there are model, provider', calling(providerHealth, { by: 3 })],
  [
    'providerBreaker: on cannot be "time-out"; did you mean timeout?',
    calling(providerBreaker, { on: ['unknown', 'time-out'] }),
  ],
  [
    'circuitBreaker: within cannot be "runs"; did you mean run?',
    calling(circuitBreaker, { within: 'runs' }),
  ],
  [
    'errorTracking: there is no option maximum; did you mean max?',
    calling(errorTracking, { maximum: 2 }),
  ],
  [
    'fallback: there is no option modell; did you mean model?',
    calling(fallback, [{ modell: 'a/b' }]),
  ],
  ['retry: there is no option retry; did you mean retries?', calling(retry, { retry: 2 })],
  [
    'retry: models: there is no option retrys; did you mean retries?',
    calling(retry, { models: { 'a/': { retrys: 2 } } }),
  ],
  [
    'abSplit: by cannot be "user"; there are session, caller, run',
    calling(abSplit, { experiment: 'e', variants, by: 'user' }),
  ],
  [
    'abSplit: variants: there is no option instruction; did you mean instructions?',
    calling(abSplit, { experiment: 'e', variants: [{ name: 'a', instruction: 'Be brief.' }] }),
  ],
  [
    'permissions: rules: there is no option tool; did you mean tools?',
    calling(permissions, { rules: [{ tool: 'pay', verdict: 'deny' }] }),
  ],
  [
    'permissions: rules: verdict cannot be "denied"; did you mean deny?',
    calling(permissions, { rules: [{ verdict: 'denied' }] }),
  ],
  [
    'permissions: rules: verdict cannot be undefined; there are allow, ask, deny',
    calling(permissions, { rules: [{ tools: 'pay' }] }),
  ],
  ['caching: there is no option ttl; did you mean ttlMs?', calling(caching, { ttl: 5 })],
  [
    'memoryCache: there is no option maxEntry; did you mean maxEntries?',
    calling(memoryCache, { maxEntry: 5 }),
  ],
  [
    'logging: there is no option contents; did you mean content?',
    calling(logging, log, { contents: true }),
  ],
  [
    'shadow: there is no option max; did you mean maxMs?',
    calling(shadow, permissions(), { max: 5 }),
  ],
  [
    'transformText: there is no option cut; did you mean cutAt?',
    calling(transformText, { cut: '---' }),
  ],
  [
    'transformText: replace: there is no option by; there are find, with',
    calling(transformText, { replace: [{ find: 'a', by: 'b' }] }),
  ],
  [
    'timeout: there is no option modelsMs; did you mean modelMs?',
    calling(timeout, { modelsMs: 5 }),
  ],
]

for (const [message, wrong] of WRONG) {
  test(`refuses an option that would do nothing: ${message}`, () => {
    assert.throws(wrong, { code: 'INVALID_CONFIG', message })
  })
}

test('treats an undefined option as absent', () => {
  assert.doesNotThrow(calling(costTracking, { per: undefined, alertAt: undefined }))
})
