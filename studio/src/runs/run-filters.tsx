import { Button, Group, Select, TextInput } from '@mantine/core'
import { useDebouncedCallback, useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { RUN_STATUSES } from 'echelon/client'
import { useRef, useState } from 'react'
import { agentsQuery } from '../api/queries.ts'
import { statusLabel } from '../pieces/status-badge.tsx'
import { runsRoute, type RunsSearch } from './route.ts'

const STATUSES = RUN_STATUSES.map((status) => ({ value: status, label: statusLabel(status) }))

/** Which runs the list shows. */
export function RunFilters() {
  const filter = runsRoute.useSearch()
  const navigate = useNavigate({ from: '/runs' })
  const { data: agents = [] } = useQuery(agentsQuery)
  const set = (change: Partial<Record<keyof RunsSearch, string | null>>): void => {
    const all = { ...filter, ...change }
    const kept = Object.entries(all).filter(([, value]) => value !== null && value !== '')
    void navigate({ search: Object.fromEntries(kept), replace: true })
  }
  return (
    <Group gap="sm" component="search">
      <SearchField value={filter.search ?? ''} onSearch={(search) => set({ search })} />
      <Select
        aria-label="Agent"
        placeholder="Any agent"
        data={agents.map(({ name }) => name)}
        value={filter.agent ?? null}
        onChange={(agent) => set({ agent })}
        clearable
        w={150}
      />
      <Select
        aria-label="Status"
        placeholder="Any status"
        data={STATUSES}
        value={filter.status ?? null}
        onChange={(status) => set({ status })}
        clearable
        w={150}
      />
      {filter.session !== undefined && (
        <Button variant="default" onClick={() => set({ session: null })}>
          In conversation {filter.session} ✕
        </Button>
      )}
    </Group>
  )
}

const PAUSE_MS = 250

interface SearchFieldProps {
  readonly value: string
  readonly onSearch: (search: string) => void
}

function SearchField({ value, onSearch }: SearchFieldProps) {
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(value)
  const search = useDebouncedCallback(onSearch, PAUSE_MS)
  useHotkeys([['/', () => field.current?.focus()]])
  return (
    <TextInput
      ref={field}
      type="search"
      aria-label="Search tasks"
      placeholder="Search tasks  ( / )"
      leftSection={<IconSearch size={16} aria-hidden />}
      value={typed}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value)
        search(currentTarget.value)
      }}
      flex="1 1 14rem"
    />
  )
}
