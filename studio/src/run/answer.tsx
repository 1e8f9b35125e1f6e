import { Box, Group, Paper, Text } from '@mantine/core'
import type { RunView } from 'echelon/client'
import { CheckedBadge } from '../pieces/checked-badge.tsx'
import { JsonView } from '../pieces/json-view.tsx'
import classes from './answer.module.css'
import type { Moment } from './story/moment.ts'

interface AnswerProps {
  readonly run: RunView
  readonly story: readonly Moment[]
}

/** The result of the run, and a sentence on why it was accepted. */
export function Answer({ run, story }: AnswerProps) {
  const { end } = run
  if (end === null) return <Working story={story} />
  const why = end.detail ?? reasonIn(story)
  return (
    <Paper withBorder className={classes['answer']} data-checked={end.checked} component="section">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Text component="h2" className={classes['label']}>
          {end.text === '' ? 'No answer' : 'Answer'}
        </Text>
        <Group gap="xs">
          <CheckedBadge checked={end.checked} />
        </Group>
      </Group>
      {end.text !== '' && (
        <Box className={classes['text']} data-long={end.text.length > 120}>
          {end.text}
        </Box>
      )}
      {end.output !== undefined && <JsonView value={end.output} />}
      {why !== undefined && why !== end.text && (
        <Text c="dimmed" size="sm" mt={6}>
          {why}
        </Text>
      )}
    </Paper>
  )
}

/** The last decision of a gate. */
const reasonIn = (story: readonly Moment[]): string | undefined =>
  story.findLast(({ type }) => type === 'gate')?.title

/** The text of a run in progress so far. */
function Working({ story }: Pick<AnswerProps, 'story'>) {
  const now = story.at(-1)
  const text = now?.type === 'model' && now.plan === undefined ? now.text : ''
  return (
    <Paper withBorder className={classes['answer']} component="section">
      <Text component="h2" className={classes['label']}>
        Now
      </Text>
      {/* Only what it does: a text that grows would be read over and over. */}
      <Text aria-live="polite">{now?.title ?? 'Starting …'}</Text>
      {text !== '' && (
        <Box className={classes['text']} data-long>
          {text}
        </Box>
      )}
    </Paper>
  )
}
