import { nearest } from '../core/value/nearest.ts'
import { redactText } from '../core/redaction/redaction.ts'
import { shownPath } from '../core/setting/setting-tree.ts'
import { describeOrigin, type SettingsSource, type Sourced } from './settings-source.ts'

/**
 * Problems for configured providers that do not exist. In variables only a warning, since other
 * programs use the environment too.
 * @param known `null` if unknown, which accepts every name
 * @param isInstalled whether an installed package supplies a provider that is not known
 */
export function unknownProviders(
  given: readonly Sourced[],
  known: readonly string[] | null,
  isInstalled: (key: string) => boolean = () => false,
): Pick<SettingsSource, 'problems' | 'warnings'> {
  if (known === null) return { problems: [], warnings: [] }
  const named = given.filter(({ origin }) => origin.from !== 'default')
  const unknown = named.flatMap(({ at, value, origin }) =>
    namesIn(at, value)
      .filter((name) => !known.includes(name) && !isInstalled(name))
      .map((name) => ({
        isWarning: at[0] === 'providers' && origin.from === 'variable',
        sentence: `${placeOf(origin)}${shownPath(at)}: ${unknownProvider(name, known)}`,
      })),
  )
  const sentences = (isWarning: boolean): readonly string[] =>
    unknown.filter((one) => one.isWarning === isWarning).map(({ sentence }) => sentence)
  return { problems: sentences(false), warnings: sentences(true) }
}

/** Empty for the call, whose path is enough. */
const placeOf = (origin: Sourced['origin']): string =>
  origin.from === 'call' ? '' : `${describeOrigin(origin)}: `

/** The providers that a value names. */
function namesIn([section, key = '']: readonly string[], value: unknown): readonly string[] {
  if (section === 'providers') return [key]
  if (section !== 'models') return []
  return [value]
    .flat()
    .filter((model) => typeof model === 'string')
    .map((model) => model.split('/')[0] ?? '')
}

function unknownProvider(name: string, known: readonly string[]): string {
  const near = nearest(name, known)
  const hint =
    near === null
      ? `known are ${known.join(', ')}, and every <key> whose package @ai-sdk/<key> is installed`
      : `did you mean ${near}?`
  return `no provider is called ${JSON.stringify(redactText(name))}; ${hint}`
}
