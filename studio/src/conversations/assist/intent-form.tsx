import { Alert, Button, Group, Stack, TagsInput, Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { IntentView, KeptIntent } from 'echelon/client'
import { type FormEvent, useState } from 'react'
import { echelon } from '../../api/client.ts'
import { intentQuery } from '../queries.ts'

interface IntentFormProps {
  readonly agent: string
  readonly kept: KeptIntent
  readonly onDone: () => void
}

const LISTS = [
  ['north_stars', 'North stars'],
  ['non_goals', 'Never'],
  ['stop_conditions', 'A turn stops when'],
] as const

/** Changes the intent. Somebody else's change meanwhile is not overwritten. */
export function IntentForm({ agent, kept, onDone }: IntentFormProps) {
  // The version goes with the text that is edited: `kept` follows the changes of others.
  const [{ version, intent: first }] = useState(kept)
  const [intent, setIntent] = useState(first)
  const queries = useQueryClient()
  const save = useMutation({
    mutationFn: (wanted: IntentView) =>
      echelon().intent.set(agent, { intent: withoutLoose(wanted), if_version: version }),
    onSuccess: (written) => {
      queries.setQueryData(intentQuery(agent).queryKey, written)
      onDone()
    },
    onError: () => queries.invalidateQueries({ queryKey: ['intent', agent] }),
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    save.mutate(intent)
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Textarea
          label="Success"
          value={intent.current_success}
          onChange={({ currentTarget }) =>
            setIntent({ ...intent, current_success: currentTarget.value })
          }
          autosize
          required
        />
        {LISTS.map(([name, label]) => (
          <TagsInput
            key={name}
            label={label}
            description="Enter adds one."
            value={[...intent[name]]}
            onChange={(words) => setIntent({ ...intent, [name]: words })}
          />
        ))}
        {save.isError && (
          <Alert color="red" role="alert" p="xs">
            {save.error.message}
          </Alert>
        )}
        <Group gap="xs">
          <Button type="submit" size="sm" loading={save.isPending}>
            Save
          </Button>
          <Button variant="default" size="sm" onClick={onDone}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** Patterns of words that are gone go with them. */
function withoutLoose({ patterns, ...intent }: IntentView): IntentView {
  const known = new Set([...intent.non_goals, ...intent.stop_conditions])
  const kept = Object.entries(patterns ?? {}).filter(([name]) => known.has(name))
  return kept.length === 0 ? intent : { ...intent, patterns: Object.fromEntries(kept) }
}
