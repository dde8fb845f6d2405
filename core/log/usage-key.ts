/**
 * Returns the key of a record of the topic `usage`. It names the event, so that an organization's recalls
 * spread over all partitions, while all copies of an event share a partition, whose order decides which is
 * the first.
 */
export const usageKey = (org: string, eventId: string): string => JSON.stringify([org, eventId]);
