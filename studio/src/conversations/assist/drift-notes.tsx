import { Alert } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import type { Drift } from './drifts.ts'

/** Why drafts were pulled back before they were shown. */
export const DriftNotes = ({ drifts }: { readonly drifts: readonly Drift[] }) =>
  drifts.map(({ key, outcome, led }) => (
    <Alert
      key={key}
      color="orange"
      mb="xs"
      title={led === 'withheld' ? 'The answer was withheld' : 'A draft was withdrawn'}
      icon={<IconArrowBackUp aria-hidden />}
    >
      It drifted from your intent: {wordsOf(outcome)}.{' '}
      {led === 'withheld'
        ? 'The assistant asks you instead.'
        : 'It was planned again and rewritten.'}
    </Alert>
  ))

const wordsOf = (outcome: string): string =>
  outcome.replace(/^non_goal: /, 'you never want ').replaceAll('_', ' ')
