import { fileURLToPath } from 'node:url'
import { EchelonError } from '../../../core/error.ts'
import { optionalPackage } from '../../../core/optional-package.ts'
import { readGivenText, UnreadableFileError } from '../../../host/given-file.ts'
import type { PolicyRules } from '../policy/rule.ts'
import { policyConditions } from './policy-conditions.ts'
import { policyDocument } from './policy-document.ts'

/** Characters of a file; what somebody writes by hand has far fewer. */
const MOST_CHARACTERS = 200_000

/**
 * The rules of a YAML file, with their conditions in CEL checked: `docs/guides/support-policy.md` is what it may
 * say. Needs the packages `yaml`, `zod` and `@marcbachmann/cel-js`.
 * @param path default: the `config/policies.yaml` that comes with Echelon
 * @throws EchelonError INVALID_CONFIG that names file, line and rule, and says what to do; MISSING_PACKAGE
 */
export async function loadPolicies(path?: string): Promise<PolicyRules> {
  const file = path ?? fileURLToPath(import.meta.resolve('echelon/config/policies.yaml'))
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
 * The same of a text.
 * @param name what its messages call it
 * @throws EchelonError INVALID_CONFIG, MISSING_PACKAGE
 */
export async function parsePolicies(text: string, name: string): Promise<PolicyRules> {
  if (text.length > MOST_CHARACTERS) {
    throw new EchelonError(
      'INVALID_CONFIG',
      `${name} has more than ${MOST_CHARACTERS} characters; split it into several sets of rules`,
    )
  }
  const document = await policyDocument(text, name)
  const cel = await optionalPackage('@marcbachmann/cel-js@8', () => import('@marcbachmann/cel-js'))
  const { mode, tools, constants, rules } = document.content
  const compile = policyConditions(cel, { constants, facts: document.content.facts })
  return {
    mode,
    tools,
    constants,
    rules: rules.map((rule, index) => {
      const condition = (key: 'when' | 'require', source: string) => {
        const { condition, problem } = compile(source)
        if (problem !== null) throw document.flaw(['rules', index, key], `${key}: ${problem}`)
        return condition
      }
      return {
        id: rule.id,
        tools: rule.tools ?? tools,
        when: rule.when === undefined ? null : condition('when', rule.when),
        require: condition('require', rule.require),
        effect: rule.effect,
        because: rule.because,
        final: rule.final,
        mode: rule.mode,
      }
    }),
  }
}

/** A path that leads nowhere says enough by itself. */
const why = (cause: unknown): string =>
  cause instanceof UnreadableFileError ? ` (${cause.message})` : ''
