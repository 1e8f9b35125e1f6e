import { Button } from '@mantine/core'
import { IconArrowsSplit2, IconHistory, IconPlayerStop } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { RunView } from 'echelon/client'
import { echelon } from '../api/client.ts'
import { runQuery } from '../api/queries.ts'
import { ButtonLink } from '../pieces/links.tsx'

/** The actions that a run offers now. */
export function RunActions({ run }: { readonly run: RunView }) {
  const queries = useQueryClient()
  const cancel = useMutation({
    mutationFn: () => echelon().runs.cancel(run.id),
    onSettled: () => queries.invalidateQueries({ queryKey: runQuery(run.id).queryKey }),
  })
  const isOpen = run.end === null && OPEN.has(run.status)
  return (
    <>
      {isOpen && (
        <Button
          color="red"
          variant="light"
          leftSection={<IconPlayerStop size={17} aria-hidden />}
          loading={cancel.isPending}
          onClick={() => cancel.mutate()}
        >
          Cancel
        </Button>
      )}
      <ButtonLink
        to="/runs/$run/steps"
        params={{ run: run.id }}
        variant="default"
        leftSection={<IconHistory size={17} aria-hidden />}
      >
        Time travel
      </ButtonLink>
      <ButtonLink
        to="/compare"
        search={run.forked_from === null ? { a: run.id } : { a: run.forked_from, b: run.id }}
        variant="default"
        leftSection={<IconArrowsSplit2 size={17} aria-hidden />}
      >
        Compare
      </ButtonLink>
    </>
  )
}

const OPEN: ReadonlySet<RunView['status']> = new Set(['running', 'waiting', 'interrupted'])
