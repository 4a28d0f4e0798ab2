import de.bwaldvogel.mongo.MongoCollection;
import de.bwaldvogel.mongo.MongoDatabase;
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.Index;
import de.bwaldvogel.mongo.backend.IndexKey;
import de.bwaldvogel.mongo.backend.h2.H2Backend;
import de.bwaldvogel.mongo.backend.h2.H2Database;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.wire.message.MongoMessage;
import java.net.InetSocketAddress;
import java.util.List;
import org.h2.mvstore.MVStore;

/**
 * mongo-java-server on a file, as a test needs it: `DurableMongo <file> <port>`. Differs from the library's own H2
 * backend in three points: what is acknowledged is in the file (the library saves once a second), it says that it is
 * MongoDB 5.0 (drivers of today refuse older ones), and a filter with an id beside other conditions uses the id.
 */
final class DurableMongo extends H2Backend {
    private DurableMongo(MVStore store) {
        super(store);
    }

    public static void main(String[] args) {
        MVStore store = new MVStore.Builder().fileName(args[0]).autoCommitDisabled().open();
        // Space of old versions is reused at once: only a power cut could need them.
        store.setRetentionTime(0);
        DurableMongo backend = new DurableMongo(store);
        backend.version(new MongoVersion() {
            @Override
            public List<Integer> getVersionArray() {
                return List.of(5, 0, 0);
            }

            @Override
            public int getWireVersion() {
                return 13;
            }
        });
        new MongoServer(backend).bind(new InetSocketAddress("127.0.0.1", Integer.parseInt(args[1])));
    }

    @Override
    public Document handleMessage(MongoMessage message) {
        Document answer = super.handleMessage(message);
        getMvStore().commit();
        return answer;
    }

    @Override
    protected MongoDatabase openOrCreateDatabase(String name) {
        return new H2Database(name, getMvStore(), getCursorRegistry()) {
            @Override
            protected Index<Object> openOrCreateUniqueIndex(
                    String collection, String index, List<IndexKey> keys, boolean sparse) {
                Index<Object> made = super.openOrCreateUniqueIndex(collection, index, keys, sparse);
                return keys.size() == 1 && keys.get(0).getKey().equals("_id") ? new IdIndex(made, keys, sparse) : made;
            }
        };
    }

    /** The library looks an id up only when nothing else is asked for, and walks the whole collection otherwise. */
    private static final class IdIndex extends Index<Object> {
        private final Index<Object> index;

        IdIndex(Index<Object> index, List<IndexKey> keys, boolean sparse) {
            super(index.getName(), keys, sparse);
            this.index = index;
        }

        private static Document idOf(Document query) {
            return new Document("_id", query.get("_id"));
        }

        @Override
        public boolean canHandle(Document query) {
            return query.containsKey("_id") && index.canHandle(idOf(query));
        }

        @Override
        public Iterable<Object> getPositions(Document query) {
            return index.getPositions(idOf(query));
        }

        @Override
        public Object getPosition(Document document) {
            return index.getPosition(document);
        }

        @Override
        public void checkAdd(Document document, MongoCollection<Object> collection) {
            index.checkAdd(document, collection);
        }

        @Override
        public void add(Document document, Object position, MongoCollection<Object> collection) {
            index.add(document, position, collection);
        }

        @Override
        public Object remove(Document document) {
            return index.remove(document);
        }

        @Override
        public void checkUpdate(Document before, Document after, MongoCollection<Object> collection) {
            index.checkUpdate(before, after, collection);
        }

        @Override
        public void updateInPlace(
                Document before, Document after, Object position, MongoCollection<Object> collection) {
            index.updateInPlace(before, after, position, collection);
        }

        @Override
        public long getCount() {
            return index.getCount();
        }

        @Override
        public long getDataSize() {
            return index.getDataSize();
        }

        @Override
        public boolean isUnique() {
            return true;
        }

        @Override
        public void drop() {
            index.drop();
        }
    }
}
