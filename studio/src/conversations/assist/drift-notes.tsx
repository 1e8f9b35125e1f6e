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
      title={led === 'withheld' ? 'The answer was held back' : 'A draft was pulled back'}
      icon={<IconArrowBackUp aria-hidden />}
    >
      It drifted from your intent: {wordsOf(outcome)}.{' '}
      {led === 'withheld'
        ? 'You are asked what holds instead.'
        : 'It was planned and written again.'}
    </Alert>
  ))

const wordsOf = (outcome: string): string =>
  outcome.replace(/^non_goal: /, 'you never want ').replaceAll('_', ' ')
