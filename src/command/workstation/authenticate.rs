//! `authenticate`: writes Liqo's handshake into the document, in two halves. The consumer's half is signed with the key of its Liqo; the
//! provider's half is what its Liqo has signed. Each half can be handed over as a file.

mod write;

use super::flags::parse_flag;
use super::provider::Provider;
use crate::command::{Error, Result, Streams};
use crate::custody::keys::random;
use crate::diagnostic::{Source, readable, secrecy, shown_name};
use crate::input::file::{Links, read_text, shown_path};
use crate::input::folder::{DOCUMENT, Folder};
use crate::input::yaml;
use crate::peering::authentication::credential::keys_exchange::{CONTROL_PLANE, ClientKey, Nonce};
use crate::peering::cluster::Cluster;
use crate::peering::{Peering, Role};
use crate::{custody, rules};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use std::path::PathBuf;
use write::{Fields, insert};
use zeroize::Zeroizing;

/// Exchange keys as Liqo does: a credential that Liqo renews
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  argocd-peering authenticate consumer peerings/rome-milan --from-context rome
  argocd-peering authenticate provider peerings/rome-milan --from-context milan

The first signs with Liqo's private key, the Secret `authentication-keys`. The second reads the Tenant's `status.authParams` \
after that commit is synced. Both ask before they write peering.yaml.

Between organisations, --print prints a half and --from-file takes it, or the provider's Tenant as YAML. Sign no nonce from \
another provider.")]
pub struct Authenticate {
    /// Whose half: what the consumer signs, or what the provider has signed
    #[arg(value_name = "consumer|provider", value_parser = PossibleValuesParser::new(Role::WORDS).try_map(|word| Role::find(&word).ok_or("no role")))]
    pub role: Role,
    /// The folder of peering.yaml
    #[arg(default_value = ".")]
    pub folder: PathBuf,
    /// Read that cluster with your kubectl, through this context of your kubeconfig
    #[arg(long, value_name = "CONTEXT", required_unless_present = "from_file")]
    pub from_context: Option<String>,
    /// Or a file that was handed over
    #[arg(long, value_name = "FILE", conflicts_with = "from_context")]
    pub from_file: Option<PathBuf>,
    /// What the consumer signs; default: the document's `nonce`, or random text
    #[arg(long, value_name = "TEXT", conflicts_with = "from_file")]
    pub nonce: Option<String>,
    /// For the reverse direction: `spec.reverse.authentication`
    #[arg(long)]
    pub reverse: bool,
    /// Print the fields to hand them over, and leave the document as it is
    #[arg(long)]
    pub print: bool,
    /// Do not ask
    #[arg(long)]
    pub yes: bool,
}

const FROM_FILE: &str = "--from-file";

pub(crate) fn authenticate(arguments: &Authenticate, streams: &mut Streams<'_>) -> Result {
    let source = Folder::new(&arguments.folder).read_document()?;
    let peering = rules::parse(&source)?;
    let (user, flag) = if arguments.reverse {
        (Role::Provider, "--reverse")
    } else {
        (Role::Consumer, "FOLDER")
    };
    let document = arguments.folder.join(DOCUMENT);
    if peering.authentication(user).is_none() {
        let reason = format!("the document has no `{}.authentication`", user.direction());
        return Err(Error::flag(flag, reason));
    }
    if !arguments.print {
        // before a key is read
        custody::store::check_folder(&document)?;
        insert(&source, user, &[]).ok_or_else(|| uneditable(user))?;
    }
    let mut fields = Fields::from_peering(&peering, user);
    match (arguments.role, &arguments.from_context) {
        (Role::Consumer, Some(context)) => {
            let half = ConsumerHalf::new(arguments, &source, &peering, user, &fields)?;
            fields.set_consumers(half.sign(context, streams)?);
        }
        (Role::Provider, Some(context)) => {
            let host = &peering.clusters[user.peer()];
            let cluster = Provider::new(context, &arguments.folder)?;
            cluster.check_cluster(host.id.as_str(), streams)?;
            let namespace = format!("--namespace={}", *host.tenant_namespace);
            let name = host.names.tenant.as_str();
            let get = ["get", TENANTS, name, &namespace, "-o=json"];
            let Ok(tenant) = yaml::parse(&cluster.run_get(&get, streams)?) else {
                return Err(cluster.unexpected("a Tenant"));
            };
            fields.take_providers(&tenant, ("--from-context", context))?;
        }
        (role, None) => {
            let path = arguments.from_file.clone().unwrap_or_default();
            // JSON is a part of YAML
            let Ok(root) = yaml::parse(&read_text(&path, 64 * 1024, Links::Follow)?) else {
                let reason = format!("{} is not YAML", shown_path(&path));
                return Err(Error::flag(FROM_FILE, reason));
            };
            let path = path.display().to_string();
            match role {
                Role::Consumer => fields.take_consumers(&root, (FROM_FILE, &path))?,
                Role::Provider => fields.take_providers(&root, (FROM_FILE, &path))?,
            }
        }
    }
    let text = fields.write(&source, user)?;
    streams.note_all(fields.lines(arguments.role));
    if arguments.print {
        return streams.deliver(&(fields.text().join("\n") + "\n"));
    }
    let text = text.ok_or_else(|| uneditable(user))?;
    let shown = shown_path(&document);
    // the consumer's own signature was confirmed before
    if arguments.role == Role::Provider || arguments.from_context.is_none() {
        let question = format!("Write this into {shown}? Type `yes`:");
        confirm(arguments, &question, streams)?;
    }
    custody::store::replace(&document, source.text().as_bytes(), text.as_bytes(), true)?;
    streams.note(&format!("wrote {shown}"));
    Ok(())
}

/// The resource of the provider's half.
const TENANTS: &str = "tenants.authentication.liqo.io";

fn uneditable(user: Role) -> Error {
    let reason = format!(
        "`{}.authentication` cannot be edited here: replace its `credential` by what this prints",
        user.direction()
    );
    Error::flag("--print", reason)
}

/// What the consumer signs.
struct ConsumerHalf<'a> {
    arguments: &'a Authenticate,
    own: &'a Cluster,
    host: &'a Cluster,
    nonce: Nonce,
}

impl<'a> ConsumerHalf<'a> {
    /// Tries the document with a key of this run: what would be wrong with it is said before the key of Liqo is read.
    fn new(
        arguments: &'a Authenticate,
        source: &Source,
        peering: &'a Peering,
        user: Role,
        fields: &Fields,
    ) -> Result<Self> {
        let nonce = match arguments.nonce.clone().or_else(|| fields.nonce()) {
            Some(nonce) => nonce,
            // as `openssl rand -base64 48` prints it
            None => STANDARD.encode(*random::<48>().map_err(custody::Error::from)?),
        };
        let nonce: Nonce = parse_flag("--nonce", &nonce)?;
        let half = Self {
            arguments,
            own: &peering.clusters[user],
            host: &peering.clusters[user.peer()],
            nonce,
        };
        let key = ClientKey::new(&*random().map_err(custody::Error::from)?);
        let mut trial = fields.clone();
        trial.set_consumers(half.signed_half(&key)?);
        trial.write(source, user)?;
        Ok(half)
    }

    /// The consumer's half, made with the key of its Liqo.
    fn sign(&self, context: &str, streams: &mut Streams<'_>) -> Result<[String; 4]> {
        let (own, host) = (&*self.own.id, &*self.host.id);
        let cluster = Provider::new(context, &self.arguments.folder)?;
        // the document could name a namespace whose key is anybody's
        let namespace = cluster.liqo_namespace(own.as_str(), streams)?;
        if namespace != self.own.liqo_namespace.as_str() {
            let reason = format!(
                "the Liqo of `{own}` is in `{}`: correct the document's `liqoNamespace: {}`",
                shown_name(&namespace),
                self.own.liqo_namespace
            );
            return Err(Error::flag("--from-context", reason));
        }
        let nonce = readable(self.nonce.as_str());
        streams.note(&format!(
            "`{own}` signs for `{host}`, with the Secret `authentication-keys` of `{namespace}`: the nonce {nonce}, and a certificate request of `{own}` for the group `{CONTROL_PLANE}`"
        ));
        let question = "Read that key and sign? Type `yes`:";
        confirm(self.arguments, question, streams)?;
        let namespace = format!("--namespace={namespace}");
        let form = "-o=jsonpath={.data.privateKey}";
        let get = ["get", "secret", "authentication-keys", &namespace, form];
        let data = Zeroizing::new(cluster.run_get(&get, streams)?);
        let pem = STANDARD.decode(data.trim()).unwrap_or_default();
        let pem = Zeroizing::new(String::from_utf8(pem).unwrap_or_default());
        secrecy::remember(&pem);
        let key = ClientKey::of_liqo(&pem).ok_or_else(|| cluster.unexpected(ED25519))?;
        self.signed_half(&key)
    }

    fn signed_half(&self, key: &ClientKey) -> Result<[String; 4]> {
        let (nonce, id) = (self.nonce.to_string(), self.own.id.as_str());
        let csr = STANDARD.encode(key.request(id, Some(CONTROL_PLANE))?);
        let signature = key.sign(nonce.as_bytes());
        Ok([nonce, key.public_key()?, csr, signature])
    }
}

const ED25519: &str =
    "an Ed25519 key, as Liqo makes it without `authentication.tlsCompatibilityMode`";

fn confirm(arguments: &Authenticate, question: &str, streams: &mut Streams<'_>) -> Result {
    if arguments.yes {
        return Ok(());
    }
    let why = match custody::typed_yes(streams, question) {
        Some(true) => return Ok(()),
        Some(false) => "not confirmed",
        None => "without a terminal it is needed",
    };
    let reason = format!("{why}, so nothing was signed or written");
    Err(Error::flag("--yes", reason))
}
