/**
 * Measures what the layered assistant detects without a model, on labeled turns: `npm run bench:assist`.
 * Prints precision and recall for each kind, on the turns used for the rules and on the held-out ones. `-- --verbose` lists the misses of the former and counts those of the latter; `--heldout` lists
 * those as well, after which they are held out no more.
 */
import { parseArgs } from 'node:util'
import { figuresOf, missesOf } from './assist/detection.ts'
import { heldOutTurns, type LabeledTurn, tunedTurns } from './assist/labeled-turns.ts'

const { values } = parseArgs({
  options: { verbose: { type: 'boolean' }, heldout: { type: 'boolean' } },
})

const percent = (share: number): string => `${(share * 100).toFixed(0)} %`.padStart(6)

function print(title: string, turns: readonly LabeledTurn[], listed: boolean): void {
  console.log(`\n${title}: ${turns.length} turns`)
  console.log(`${'kind'.padEnd(18)} turns  precision  recall`)
  for (const { kind, turns: count, precision, recall } of figuresOf(turns)) {
    console.log(
      `${kind.padEnd(18)} ${String(count).padStart(5)}  ${percent(precision).padStart(9)}  ${percent(recall)}`,
    )
  }
  const misses = missesOf(turns)
  console.log(`${misses.length} of ${turns.length} turns are read otherwise than they are labeled`)
  if (!listed) return
  for (const { turn, found } of misses) {
    console.log(`  ${turn.label} -> ${found.join(' + ') || 'none'}: ${JSON.stringify(turn.text)}`)
  }
}

print('Seen', tunedTurns(), values.verbose === true)
print('Held out', heldOutTurns(), values.heldout === true)
