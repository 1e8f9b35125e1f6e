import { fileURLToPath } from 'node:url'
import { EchelonError } from 'echelon/internal/value'
import { readGivenText, UnreadableFileError } from 'echelon/internal/platform'
import type { PolicyRules } from '../policy/rule.ts'
import { MOST_STEPS, policyConditions } from './policy-conditions.ts'
import { policyDocument } from './policy-document.ts'
import { readOnce } from './read-once.ts'

/** Limit of a file; handwritten ones are far shorter. */
const MOST_CHARACTERS = 200_000

/**
 * Loads the rules of a YAML file and checks their CEL conditions; the format is described in
 * `docs/guides/support-policy.md`. Needs the packages `yaml`, `zod` and `@marcbachmann/cel-js`.
 * @param path default: the `packages/support/config/policies.yaml` that comes with Echelon, which a process reads once
 * @throws EchelonError INVALID_CONFIG that names file, line and rule, and says what to do
 */
export const loadPolicies = (path?: string): Promise<PolicyRules> =>
  path === undefined ? shippedPolicies() : readPolicies(path)

const shippedPolicies = readOnce(() =>
  readPolicies(fileURLToPath(import.meta.resolve('@echelon/support/config/policies.yaml'))),
)

async function readPolicies(file: string): Promise<PolicyRules> {
  const text = await readGivenText(file, 4 * MOST_CHARACTERS).catch((cause: unknown) => {
    throw new EchelonError(
      'INVALID_CONFIG',
      `${file} cannot be read${why(cause)}; name a file that is there, or leave the path out for the rules that come with Echelon`,
      { cause },
    )
  })
  return parsePolicies(text, file)
}

/**
 * Parses rules from a text.
 * @param name the name used in error messages
 * @throws EchelonError INVALID_CONFIG
 */
export async function parsePolicies(text: string, name: string): Promise<PolicyRules> {
  if (text.length > MOST_CHARACTERS) {
    throw new EchelonError(
      'INVALID_CONFIG',
      `${name} has more than ${MOST_CHARACTERS} characters; split it into several sets of rules`,
    )
  }
  const document = await policyDocument(text, name)
  const cel = await import('@marcbachmann/cel-js')
  const { mode, tools, constants, rules } = document.content
  const compile = policyConditions(cel, { constants, facts: document.content.facts })
  const taken = new Map<string, number>()
  return {
    mode,
    tools,
    constants,
    rules: rules.map((rule, index) => {
      const condition = (
        key: 'when' | 'require',
        source: string,
        within: readonly (string | number)[] = [],
      ) => {
        const at = ['rules', index, ...within, key]
        const flaw = (problem: string) => document.flaw(at, `${key}: ${problem}`)
        const compiled = compile(source)
        if (compiled.problem !== null) throw flaw(compiled.problem)
        for (const tool of rule.tools ?? tools) {
          const steps = (taken.get(tool) ?? 0) + compiled.steps
          taken.set(tool, steps)
          if (steps > MOST_STEPS) throw flaw(tooMany(steps, compiled.steps, tool))
        }
        return compiled.condition
      }
      return {
        id: rule.id,
        tools: rule.tools ?? tools,
        when: rule.when === undefined ? null : condition('when', rule.when),
        require: condition('require', rule.require),
        effect: rule.effect,
        because: rule.because,
        ...(rule.instead !== undefined && {
          instead: rule.instead.map(({ when, say, offer = null }, at) => ({
            when: when === undefined ? null : condition('when', when, ['instead', at]),
            say,
            offer,
          })),
        }),
        says: rule.says ?? null,
        final: rule.final,
        mode: rule.mode,
      }
    }),
  }
}

/** For a missing file, the path says enough. */
const why = (cause: unknown): string =>
  cause instanceof UnreadableFileError ? ` (${cause.message})` : ''
/** Says which of the two limits is exceeded, and what to change. */
function tooMany(steps: number, own: number, tool: string): string {
  const most = MOST_STEPS.toLocaleString('en')
  return own > MOST_STEPS
    ? `judging it could take ${inWords(own)} steps with lists of twenty, and all rules about a call may take ${most}; put fewer loops (all, exists, exists_one, map, filter) into each other, or have a FactsGatherer work it out`
    : `with the rules before it judging a call of ${tool} could take ${inWords(steps)} steps, and it may take ${most}; put fewer loops into each other, or move rules to a set of their own`
}

const inWords = (steps: number): string => (steps < 1e15 ? steps.toLocaleString('en') : 'countless')
