import '@mantine/core/styles.css'
import './app/page.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './api/query-client.ts'
import { router } from './app/router.ts'
import { Themed } from './app/themed.tsx'

const place = document.getElementById('studio')
if (place !== null) {
  createRoot(place).render(
    <StrictMode>
      <Themed>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </Themed>
    </StrictMode>,
  )
}
