/** The servers of deploy/compose.yaml in containers, where a container engine is available. */
import { GenericContainer, getContainerRuntimeClient, Wait, type StartedTestContainer } from 'testcontainers';
import type { RunningServer, ServerName } from './server.js';
import { freePort } from '../../support/free-port.js';

export interface Containers {
  start(name: ServerName): Promise<RunningServer>;
  stop(): Promise<void>;
}

/** Null without a container engine. */
export async function containers(): Promise<Containers | null> {
  try {
    await getContainerRuntimeClient();
  } catch {
    return null;
  }
  const started: StartedTestContainer[] = [];
  return {
    async start(name) {
      const { container, url } = await STARTERS[name]();
      started.push(container);
      return running(container, url);
    },
    async stop() {
      await Promise.allSettled(started.map((container) => container.stop()));
    },
  };
}

type Started = { readonly container: StartedTestContainer; readonly url: string };

const STARTERS: Readonly<Record<ServerName, () => Promise<Started>>> = {
  async eventstore() {
    const port = await freePort();
    const container = await new GenericContainer('eventstore/eventstore:24.10.4-bookworm-slim')
      .withEnvironment({
        EVENTSTORE_CLUSTER_SIZE: '1',
        EVENTSTORE_RUN_PROJECTIONS: 'None',
        EVENTSTORE_INSECURE: 'true',
        EVENTSTORE_NODE_PORT: '2113',
      })
      // A fixed port, so that the address is the same after a restart.
      .withExposedPorts({ container: 2113, host: port })
      .withWaitStrategy(Wait.forHttp('/health/live', 2113).forStatusCode(204))
      .start();
    return { container, url: `esdb://${container.getHost()}:${port}?tls=false` };
  },
  async mongodb() {
    const port = await freePort();
    const container = await new GenericContainer('mongo:8.0.9')
      .withCommand(['--replSet', 'rs0', '--bind_ip_all'])
      .withExposedPorts({ container: 27017, host: port })
      .withWaitStrategy(Wait.forLogMessage(/Waiting for connections/i))
      .start();
    await container.exec(['mongosh', '--quiet', '--eval', 'rs.initiate()']);
    return { container, url: `mongodb://${container.getHost()}:${port}/recado?directConnection=true` };
  },
  async kafka() {
    const port = await freePort();
    const container = await new GenericContainer('apache/kafka:3.9.1')
      .withEnvironment({
        KAFKA_NODE_ID: '1',
        KAFKA_PROCESS_ROLES: 'broker,controller',
        KAFKA_CONTROLLER_QUORUM_VOTERS: '1@localhost:9093',
        KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER',
        KAFKA_LISTENERS: 'PLAINTEXT://:9092,CONTROLLER://:9093',
        KAFKA_ADVERTISED_LISTENERS: `PLAINTEXT://127.0.0.1:${port}`,
        KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
        KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: '1',
        KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: '1',
        KAFKA_TRANSACTION_STATE_LOG_MIN_ISR: '1',
        KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: '0',
        KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false',
      })
      .withExposedPorts({ container: 9092, host: port })
      .withWaitStrategy(Wait.forLogMessage(/Kafka Server started/i))
      .start();
    return { container, url: `127.0.0.1:${port}` };
  },
  async s3() {
    const port = await freePort();
    const container = await new GenericContainer('minio/minio:RELEASE.2025-04-22T22-12-26Z')
      .withEnvironment({ MINIO_ROOT_USER: 'test', MINIO_ROOT_PASSWORD: 'test-secret' })
      .withCommand(['server', '/data'])
      .withExposedPorts({ container: 9000, host: port })
      .withWaitStrategy(Wait.forHttp('/minio/health/live', 9000))
      .start();
    await container.exec(['mkdir', '-p', '/data/recado-test']);
    return { container, url: `http://${container.getHost()}:${port}` };
  },
};

function running(container: StartedTestContainer, url: string): RunningServer {
  const client = getContainerRuntimeClient();
  const handle = async () => (await client).container.getById(container.getId());
  return {
    url,
    pid: 0,
    pause: () => void handle().then((found) => found.pause()),
    resume: () => void handle().then((found) => found.unpause()),
    async kill() {
      await (await handle()).kill();
    },
    async restart() {
      await (await handle()).start();
    },
    async stop() {
      await container.stop();
    },
  };
}
